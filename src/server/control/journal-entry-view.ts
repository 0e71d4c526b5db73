/** Entries of the journal as the control plane shows them: a shape for each sort. */
import { OneOf, type Static, Type } from '../../contract/schema.ts'
import type { JournalEntry } from '../../sandbox/journal/entry.ts'

const Text = (description: string) => Type.String({ description })
const NullableText = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description })
const Count = (description: string) => Type.Integer({ description })
const NullableCount = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description })

/** What every entry has, beside its sort. */
const HEADER = {
  seq: Count('number of the entry'),
  key: NullableText('access key; null for nobody'),
  rule: NullableText('rule of a scenario that acted; of the market, the scenario that asked'),
  bytes: Count('what it takes in the journal'),
  sessionMs: Type.Number({ description: 'session time, ms' }),
  tapeMs: Count('tape time, ms'),
} as const

const REFUSAL = {
  refused: NullableText('the refusal that was given'),
  subject: NullableText('what it was about, or what was done'),
} as const

export const RequestEntryView = Type.Object(
  {
    kind: Type.Literal('request'),
    ...HEADER,
    operation: NullableText('id; null when the path has none'),
    method: Text('HTTP method'),
    path: Text('as it was asked'),
    query: Text('as it was sent, without its signature'),
    body: Text('as it was sent, without its signature, the first 2,000 characters'),
    status: Count('HTTP status'),
    ...REFUSAL,
    answer: NullableText(
      'the first 16,000 characters: of refusals always, of others while a stream asks for ' +
        'answers; null when it was not kept',
    ),
    answerLength: Count('characters of the whole answer'),
    durationMs: Type.Number({ description: 'what it took of the machine, ms' }),
  },
  { title: 'RequestEntry' },
)

export const FrameEntryView = Type.Object(
  {
    kind: Type.Literal('frame'),
    ...HEADER,
    direction: OneOf(['in', 'out'], 'from the client, or to it'),
    connection: Count('number of the connection'),
    path: Text('of the connection'),
    text: Text('the first 2,000 characters'),
  },
  { title: 'FrameEntry' },
)

export const SocketEntryView = Type.Object(
  {
    kind: Type.Literal('socket'),
    ...HEADER,
    event: OneOf(['opened', 'refused', 'closed', 'fault'], 'what happened to it'),
    connection: NullableCount('number of the connection; null for a refused one'),
    path: Text('as it was asked'),
    status: NullableCount('HTTP status of a refusal, or close code'),
    ...REFUSAL,
  },
  { title: 'SocketEntry' },
)

export const PlayheadEntryView = Type.Object(
  {
    kind: Type.Literal('playhead'),
    ...HEADER,
    event: OneOf(
      ['behind', 'followed', 'lap', 'seek'],
      'falls behind its speed, follows it again, begins the tape anew, was placed elsewhere',
    ),
    lagMs: Type.Number({ description: 'session time that it is behind, ms' }),
  },
  { title: 'PlayheadEntry' },
)

export const MarketEntryView = Type.Object(
  {
    kind: Type.Literal('market'),
    ...HEADER,
    event: OneOf(['asked', 'begun', 'ended'], 'what became of it'),
    id: Count('number of the market event'),
    subject: Text('what it is, such as "move of BTC"'),
  },
  { title: 'MarketEntry' },
)

export const JournalEntryView = Type.Union(
  [RequestEntryView, FrameEntryView, SocketEntryView, PlayheadEntryView, MarketEntryView],
  { title: 'JournalEntry', description: 'by its kind' },
)

/** An entry as it is shown; the compiler holds what the journal keeps to what is declared. */
export function journalEntryView(entry: JournalEntry): Static<typeof JournalEntryView> {
  const { sessionMs, tapeMs, ...rest } = entry
  const timed = { ...rest, sessionMs, tapeMs }
  if (!('durationMs' in timed)) return timed
  const { durationMs, ...others } = timed
  return { ...others, durationMs: Math.round(durationMs * 1000) / 1000 }
}
