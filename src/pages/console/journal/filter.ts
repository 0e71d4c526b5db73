/** Which entries of the journal are shown: by words that are typed, and by what is picked. */
import type { JournalEntry } from '../../../clients/control/records.ts'
import { channelOf, nameOf } from './entry-names.ts'

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
