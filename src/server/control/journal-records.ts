/** The journal as the control plane shows it, and how it is filtered. */

import type { Slices } from '../../clock/turns.ts'
import { OneOf, type Static, Type } from '../../contract/schema.ts'
import { ENTRY_KINDS, type JournalEntry } from '../../sandbox/journal/entry.ts'
import { type Journal, type JournalSettings, redactedEntry } from '../../sandbox/journal/journal.ts'

export const JournalFilter = Type.Object({
  kind: Type.Optional(OneOf([...ENTRY_KINDS], 'sort of entry')),
  operation: Type.Optional(Type.String({ description: 'id, such as coin.ticker' })),
  path: Type.Optional(Type.String({ description: 'how the path ends, such as /hl/tickers' })),
  channel: Type.Optional(Type.String({ description: 'channel or type of a frame' })),
  status: Type.Optional(Type.Integer({ description: 'HTTP status or close code' })),
  key: Type.Optional(Type.String({ description: 'access key' })),
  rule: Type.Optional(
    Type.String({ description: 'refusal, rule of a scenario, or scenario of a market event' }),
  ),
  direction: Type.Optional(OneOf(['in', 'out'], 'of frames')),
  connection: Type.Optional(Type.Integer({ minimum: 1, description: 'number of a connection' })),
  answers: Type.Optional(
    Type.Boolean({
      description: 'of a stream: keep and send what is answered, not of refusals only',
    }),
  ),
  since: Type.Optional(Type.Integer({ minimum: 0, description: 'entries after this number' })),
})

/** How a journal is bounded. */
export const JournalFields = Type.Object(
  {
    on: Type.Optional(Type.Boolean({ description: 'whether anything is kept' })),
    bytes: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1 << 27, description: 'how much is kept at most' }),
    ),
  },
  { title: 'JournalBounds', additionalProperties: false },
)

/** The same as options of a sandbox. */
export function journalOptions(fields: Static<typeof JournalFields> = {}): {
  journal: Partial<JournalSettings>
} {
  const { on, bytes } = fields
  return {
    journal: {
      ...(on === undefined ? {} : { on }),
      ...(bytes === undefined ? {} : { maxBytes: bytes }),
    },
  }
}

export type JournalFilterFields = Static<typeof JournalFilter>

/** The newest entries below a number that match, oldest first, as they may be shown. */
export function* newestEntries(
  journal: Journal,
  filter: JournalFilterFields,
  below: number,
  limit: number,
): Slices<JournalEntry[]> {
  const found: JournalEntry[] = []
  for (const entry of journal.before(below)) {
    if (entry.seq <= (filter.since ?? 0) || found.length >= limit) break
    if (matchesFilter(entry, filter)) found.push(redactedEntry(entry))
    yield
  }
  return found.reverse()
}

/** How many of the entries that are there now match. */
export function* countEntries(journal: Journal, filter: JournalFilterFields): Slices<number> {
  let count = 0
  for (const entry of journal.before(journal.newest + 1)) {
    if (entry.seq <= (filter.since ?? 0)) break
    if (matchesFilter(entry, filter)) count++
    yield
  }
  return count
}

/** Whether an entry matches the filter. */
export function matchesFilter(entry: JournalEntry, filter: JournalFilterFields): boolean {
  const { kind, operation, path, channel, status, key, rule, direction, connection } = filter
  const own = entry as unknown as Readonly<Record<string, unknown>>
  return (
    (kind === undefined || entry.kind === kind) &&
    (operation === undefined || own.operation === operation) &&
    (path === undefined || ('path' in entry && entry.path.endsWith(path))) &&
    (channel === undefined || channelOf(entry) === channel) &&
    (status === undefined || own.status === status) &&
    (key === undefined || entry.key === key) &&
    (rule === undefined || own.refused === rule || entry.rule === rule) &&
    (direction === undefined || own.direction === direction) &&
    (connection === undefined || own.connection === connection)
  )
}

/** The channel that a frame belongs to, or its type; null for none. */
function channelOf(entry: JournalEntry): string | null {
  if (entry.kind !== 'frame') return null
  const found = /"(?:channel|type)"\s*:\s*"(\w+)"/.exec(entry.text)
  return found?.[1] ?? null
}
