/** Which entries of the journal are shown: by words that are typed, and by what is picked. */
import type { JournalEntry } from '../../../clients/control/records.ts'

/** What entries of the journal are called in the page. */
const CHANNEL = /"(?:channel|type)"\s*:\s*"(\w+)"/

/** The channel or type that a frame names; null for none. */
export const channelOf = (text: string): string | null => CHANNEL.exec(text)?.[1] ?? null

/** What an entry is about, in one line: an operation, a channel, what has happened. */
export function nameOf(entry: JournalEntry): string {
  switch (entry.kind) {
    case 'request':
      return entry.operation ?? entry.path
    case 'frame':
      return channelOf(entry.text) ?? entry.text.slice(0, 40)
    case 'socket':
      return `${entry.event} ${entry.path}`
    case 'playhead':
      return entry.event
    case 'market':
      return `${entry.subject}: ${entry.event}`
  }
}

// What is kept of a journal in the page: the newest entries, and refusals for longer.

/** Of so many entries that are kept at most these may be refusals older than the others. */
const LASTING_SHARE = 0.05

/**
 * The newest of some entries, oldest first. Pushes come in thousands, and what was refused is what
 * somebody looks for: refusals that are older than the others make room last.
 *
 * @param max how many are kept
 */
export function keptEntries(
  entries: readonly JournalEntry[],
  max: number,
): readonly JournalEntry[] {
  if (entries.length <= max) return entries
  const lastingMax = Math.floor(max * LASTING_SHARE)
  const lasting = entries
    .slice(0, lastingMax - max)
    .filter(isRefused)
    .slice(-lastingMax)
  const newest = entries.slice(lasting.length - max)
  const first = newest[0]?.seq ?? 0
  return [...lasting.filter(({ seq }) => seq < first), ...newest]
}

/** Two stretches of a journal as one, in order, each entry once. */
export function merged(
  some: readonly JournalEntry[],
  others: readonly JournalEntry[],
): JournalEntry[] {
  const known = new Map([...some, ...others].map((entry) => [entry.seq, entry]))
  return [...known.values()].sort((a, b) => a.seq - b.seq)
}

export interface Filter {
  /** Requests, sockets and frames, what is refused or failed, or what a rule acted on. */
  only: 'all' | 'requests' | 'frames' | 'refused' | 'rules'
  /** Words that all have to be in it, or `status:401`, `key:demo`, `channel:bbo`, `rule:…`. */
  text: string
}

/** Whether an entry is shown. */
export function filtered({ only, text }: Filter): (entry: JournalEntry) => boolean {
  const tests = text
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => testOf(word))
  return (entry) => KINDS[only](entry) && tests.every((test) => test(entry))
}

/** Whether it was refused, or went wrong. */
export function isBad(entry: JournalEntry): boolean {
  if (entry.kind === 'request') return entry.status >= 400 || entry.refused !== null
  if (entry.kind === 'socket') return entry.event === 'refused' || entry.event === 'fault'
  if (entry.kind === 'frame') return channelOf(entry.text) === 'error'
  return entry.kind === 'playhead' && entry.event === 'behind'
}

/** What was answered with no; what a rule did is a kind of its own, as it may act on all. */
export const isRefused = (entry: JournalEntry): boolean =>
  isBad(entry) && !(entry.kind === 'socket' && entry.event === 'fault')

const KINDS: Readonly<Record<Filter['only'], (entry: JournalEntry) => boolean>> = {
  all: () => true,
  requests: ({ kind }) => kind === 'request',
  frames: ({ kind }) => kind === 'frame' || kind === 'socket',
  refused: isRefused,
  rules: ({ rule }) => rule !== null,
}

type Test = (entry: JournalEntry) => boolean

function testOf(word: string): Test {
  const [, field = '', value = ''] = /^(\w+):(.*)$/.exec(word) ?? []
  const read = FIELDS[field]
  if (!read) return (entry) => textOf(entry).includes(word)
  return (entry) => read(entry).toLowerCase().startsWith(value)
}

const FIELDS: Readonly<Record<string, (entry: JournalEntry) => string>> = {
  key: ({ key }) => key ?? 'nobody',
  rule: ({ rule }) => rule ?? '',
  status: (entry) => ('status' in entry ? String(entry.status ?? '') : ''),
  operation: (entry) => (entry.kind === 'request' ? (entry.operation ?? '') : ''),
  channel: (entry) => (entry.kind === 'frame' ? (channelOf(entry.text) ?? '') : ''),
  refused: (entry) => ('refused' in entry ? (entry.refused ?? '') : ''),
  connection: (entry) => ('connection' in entry ? String(entry.connection ?? '') : ''),
  kind: ({ kind }) => kind,
}

/** The fields that a filter knows, to be told. */
export const FILTER_FIELDS: readonly string[] = Object.keys(FIELDS)

function textOf(entry: JournalEntry): string {
  const parts: unknown[] = [nameOf(entry), entry.key, entry.rule]
  if (entry.kind === 'frame') parts.push(entry.text)
  else if (entry.kind === 'request')
    parts.push(entry.method, entry.path, entry.query, entry.body, entry.status, entry.refused)
  else if (entry.kind === 'socket') parts.push(entry.subject, entry.refused)
  return parts.join(' ').toLowerCase()
}
