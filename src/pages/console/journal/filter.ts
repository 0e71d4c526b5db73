/** Filters of journal entries: by typed words, and by kind. */
import type { JournalEntry } from '../../../clients/control/records.ts'

/** Names of journal entries in the page. */
const CHANNEL = /"(?:channel|type)"\s*:\s*"(\w+)"/

/** Channel or type named by a frame; null for none. */
export const channelOf = (text: string): string | null => CHANNEL.exec(text)?.[1] ?? null

/** Subject of an entry in one line: an operation, a channel, an event. */
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
      return `${entry.subject}: ${EVENT_WORDS[entry.event]}`
  }
}

/** Words for a person; the journal keeps those of its first version. */
const EVENT_WORDS = { asked: 'requested', begun: 'began', ended: 'ended' } as const

// Journal entries kept in the page: the newest, and refusals for longer.

/** Maximum share of refusals older than all other kept entries. */
const LASTING_SHARE = 0.05

/**
 * The newest entries, oldest first. Pushes come by the thousands, and users look for refusals:
 * these are dropped last.
 *
 * @param max number of kept entries
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

/** Merges two parts of a journal in order, each entry once. */
export function merged(
  some: readonly JournalEntry[],
  others: readonly JournalEntry[],
): JournalEntry[] {
  const known = new Map([...some, ...others].map((entry) => [entry.seq, entry]))
  return [...known.values()].sort((a, b) => a.seq - b.seq)
}

export interface Filter {
  /** Requests, sockets and frames, refusals and failures, or effects of rules. */
  only: 'all' | 'requests' | 'frames' | 'refused' | 'rules'
  /** Words that must all match, or `status:401`, `key:demo`, `channel:bbo`, `rule:…`. */
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

/** Whether it was refused or failed. */
export function isBad(entry: JournalEntry): boolean {
  if (entry.kind === 'request') return entry.status >= 400 || entry.refused !== null
  if (entry.kind === 'socket') return entry.event === 'refused' || entry.event === 'fault'
  if (entry.kind === 'frame') return channelOf(entry.text) === 'error'
  return entry.kind === 'playhead' && entry.event === 'behind'
}

/** Refusals; effects of rules are separate, as a rule may act on everything. */
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
  key: ({ key }) => key ?? 'none',
  rule: ({ rule }) => rule ?? '',
  status: (entry) => ('status' in entry ? String(entry.status ?? '') : ''),
  operation: (entry) => (entry.kind === 'request' ? (entry.operation ?? '') : ''),
  channel: (entry) => (entry.kind === 'frame' ? (channelOf(entry.text) ?? '') : ''),
  refused: (entry) => ('refused' in entry ? (entry.refused ?? '') : ''),
  connection: (entry) => ('connection' in entry ? String(entry.connection ?? '') : ''),
  kind: ({ kind }) => kind,
}

function textOf(entry: JournalEntry): string {
  const parts: unknown[] = [nameOf(entry), entry.key, entry.rule]
  if (entry.kind === 'frame') parts.push(entry.text)
  else if (entry.kind === 'request')
    parts.push(entry.method, entry.path, entry.query, entry.body, entry.status, entry.refused)
  else if (entry.kind === 'socket') parts.push(entry.subject, entry.refused)
  return parts.join(' ').toLowerCase()
}
