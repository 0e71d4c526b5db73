/** Control calls about the journal: its settings, its entries, and their live stream. */

import type { Slices } from '../../../clock/turns.ts'
import { Nullable, OneOf, type Static, Type } from '../../../contract/schema.ts'
import {
  ENTRY_KINDS,
  type Journal,
  type JournalEntry,
  type JournalSettings,
  redactedEntry,
} from '../../../sandbox/journal/journal.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import type { ControlCall } from '../control-call.ts'
import { controlOperation, Page, pageFields } from '../control-operation.ts'

// Entries of the journal as the control plane shows them: a schema for each kind.

const Text = (description: string) => Type.String({ description })
const NullableText = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description })
const Count = (description: string) => Type.Integer({ description })
const NullableCount = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description })

/** The common fields of entries, besides the kind. */
const HEADER = {
  seq: Count('number of the entry'),
  key: NullableText('access key as it was sent, even if it was refused; null without one'),
  via: Type.Union([Type.Literal('console'), Type.Null()], {
    description: "console for the console's own requests and sockets; null for all else",
  }),
  rule: NullableText('rule of a scenario that acted; for the market, the scenario of the event'),
  bytes: Count('its size in the journal'),
  sessionMs: Type.Number({ description: 'session time, ms' }),
  tapeMs: Count('tape time, ms'),
} as const

/** Why a request was answered as it was. */
export const ReasonView = Type.Object(
  {
    check: Text('the check that decided: signature, permission, parameters, rule, …'),
    detail: Text('what it found'),
    mend: NullableText('what to do about it'),
    contract: Nullable(
      Type.Object({
        place: Text('section of the contract'),
        sentence: Text('what it says there'),
      }),
      { description: 'what it rests on; null where the contract is silent' },
    ),
    question: Nullable(
      Type.Object({
        id: Text('id of the open question'),
        question: Text('the question'),
        answer: Text('the answer in force'),
        means: Text('what that means'),
      }),
      { description: 'the open question that it rests on; null for none' },
    ),
  },
  { title: 'Reason' },
)

const REFUSAL = {
  refused: NullableText('the refusal'),
  subject: NullableText('its subject, or the effect of a rule'),
  reason: Nullable(ReasonView, {
    description: 'why, as it was known then; null if it was simply answered',
  }),
} as const

export const RequestEntryView = Type.Object(
  {
    kind: Type.Literal('request'),
    ...HEADER,
    operation: NullableText('id; null when the path has none'),
    method: Text('HTTP method'),
    path: Text('as sent'),
    query: Text('as it was sent, without its signature'),
    body: Text('as it was sent, without its signature, the first 2,000 characters'),
    status: Count('HTTP status'),
    lenient: Type.Array(Type.String(), {
      description:
        'what it has beyond what the contract shows, each with its open question: ' +
        '`unknown-parameters: page`; a strict sandbox refuses it. `value-cut: limit` is a value ' +
        'above its maximum, which the contract cuts silently',
    }),
    ...REFUSAL,
    answer: NullableText(
      'the first 16,000 characters: of refusals always, of others while a stream asks for ' +
        'answers; null when it was not kept',
    ),
    answerLength: Count('characters of the whole answer'),
    durationMs: Type.Number({ description: 'processing time of the machine, ms' }),
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
    path: Text('as sent'),
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
      'falls behind its speed, has caught up, starts another lap, was set elsewhere',
    ),
    lagMs: Type.Number({ description: 'lag, session time, ms' }),
  },
  { title: 'PlayheadEntry' },
)

export const MarketEntryView = Type.Object(
  {
    kind: Type.Literal('market'),
    ...HEADER,
    event: OneOf(['asked', 'begun', 'ended'], 'requested, begun or ended'),
    id: Count('number of the market event'),
    subject: Text('what it is, such as "move of BTC"'),
  },
  { title: 'MarketEntry' },
)

export const JournalEntryView = Type.Union(
  [RequestEntryView, FrameEntryView, SocketEntryView, PlayheadEntryView, MarketEntryView],
  { title: 'JournalEntry', description: 'by its kind' },
)

/** An entry as shown; the compiler compares the journal's types with the declared ones. */
function journalEntryView(entry: JournalEntry): Static<typeof JournalEntryView> {
  const { sessionMs, tapeMs, ...rest } = entry
  const timed = { ...rest, sessionMs, tapeMs }
  if (!('durationMs' in timed)) return timed
  const { durationMs, ...others } = timed
  return { ...others, durationMs: Math.round(durationMs * 1000) / 1000 }
}

// The journal as the control plane shows it, and its filters.

export const JournalFilter = Type.Object({
  kind: Type.Optional(OneOf([...ENTRY_KINDS], 'sort of entry')),
  operation: Type.Optional(Type.String({ description: 'id, such as coin.ticker' })),
  path: Type.Optional(Type.String({ description: 'end of the path, such as /hl/tickers' })),
  channel: Type.Optional(Type.String({ description: 'channel or type of a frame' })),
  status: Type.Optional(Type.Integer({ description: 'HTTP status or close code' })),
  key: Type.Optional(Type.String({ description: 'access key' })),
  rule: Type.Optional(
    Type.String({ description: 'refusal, rule of a scenario, or scenario of a market event' }),
  ),
  direction: Type.Optional(OneOf(['in', 'out'], 'of frames')),
  connection: Type.Optional(Type.Integer({ minimum: 1, description: 'number of a connection' })),
  console: Type.Optional(
    Type.Boolean({
      description:
        "also entries of the console's own requests and sockets; its frames are recorded while " +
        'a stream asks for them',
    }),
  ),
  answers: Type.Optional(
    Type.Boolean({
      description: 'for a stream: record and send all responses, not only those of refusals',
    }),
  ),
  since: Type.Optional(Type.Integer({ minimum: 0, description: 'entries after this number' })),
})

/** The bounds of a journal. */
export const JournalFields = Type.Object(
  {
    on: Type.Optional(Type.Boolean({ description: 'whether entries are recorded' })),
    bytes: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1 << 27, description: 'maximum size, bytes' }),
    ),
  },
  { title: 'JournalBounds', additionalProperties: false },
)

/** The bounds as options of a sandbox. */
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

type JournalFilterFields = Static<typeof JournalFilter>

/** The newest entries below a number that match, oldest first, redacted. */
function* newestEntries(
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

/** The number of present entries that match. */
function* countEntries(journal: Journal, filter: JournalFilterFields): Slices<number> {
  let count = 0
  for (const entry of journal.before(journal.newest + 1)) {
    if (entry.seq <= (filter.since ?? 0)) break
    if (matchesFilter(entry, filter)) count++
    yield
  }
  return count
}

/** Whether an entry matches the filter. */
function matchesFilter(entry: JournalEntry, filter: JournalFilterFields): boolean {
  const { kind, operation, path, channel, status, key, rule, direction, connection } = filter
  const own = entry as unknown as Readonly<Record<string, unknown>>
  return (
    (entry.via !== 'console' || filter.console === true) &&
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

/** The channel or type of a frame; null for none. */
function channelOf(entry: JournalEntry): string | null {
  if (entry.kind !== 'frame') return null
  const found = /"(?:channel|type)"\s*:\s*"(\w+)"/.exec(entry.text)
  return found?.[1] ?? null
}

const USUAL_LIMIT = 200
const LIMIT_MAX = 10_000

export const journalRead = controlOperation({
  id: 'journal.read',
  method: 'GET',
  path: '/sandboxes/:id/journal',
  title: 'Read the journal',
  about:
    'Returns the newest matching entries, oldest first; the next page has earlier ones. With ' +
    '`Accept: text/event-stream` the call sends the entries after `since`, and then new entries ' +
    'as they are written. The journal contains no secrets and no signatures.',
  params: { query: Type.Composite([JournalFilter, pageFields(USUAL_LIMIT, LIMIT_MAX)]) },
  examples: [{ name: 'the last ten requests', query: { kind: 'request', limit: 10 } }],
  data: Type.Object({
    entries: Type.Array(JournalEntryView),
    dropped: Type.Integer({ description: 'entries removed to make room' }),
    newest: Type.Integer({ description: 'number of the newest entry' }),
  }),
  stream: ({ query }, call) => journalStream(call, query),
  *answer({ query }, { sandbox }) {
    const { journal } = sandbox()
    const { newest } = journal
    const { limit = USUAL_LIMIT, cursor = newest + 1 } = query
    const below = Math.min(Number(cursor), newest + 1)
    const found = yield* newestEntries(journal, query, below, limit + 1)
    const isMore = found.length > limit
    const entries = isMore ? found.slice(1) : found
    return new Page(
      { entries: entries.map(journalEntryView), dropped: journal.dropped, newest },
      isMore ? String(entries[0]?.seq) : null,
    )
  },
})

export const journalCount = controlOperation({
  id: 'journal.count',
  method: 'GET',
  path: '/sandboxes/:id/journal/count',
  title: 'How many entries match',
  about: 'For example, to check that a key has called /fills exactly twice. Check `dropped` too.',
  params: { query: JournalFilter },
  examples: [{ name: 'refused requests', query: { status: 401 } }],
  data: Type.Object({
    count: Type.Integer(),
    dropped: Type.Integer({ description: 'entries removed to make room' }),
  }),
  *answer({ query }, { sandbox }) {
    const { journal } = sandbox()
    return { count: yield* countEntries(journal, query), dropped: journal.dropped }
  },
})

export const journalSet = controlOperation({
  id: 'journal.set',
  method: 'PUT',
  path: '/sandboxes/:id/journal',
  title: 'Turn the journal on or off, or limit its size',
  params: { body: JournalFields },
  examples: [{ name: 'at most a megabyte', body: { on: true, bytes: 1_000_000 } }],
  data: Type.Object({ on: Type.Boolean(), bytes: Type.Integer() }),
  answer({ body }, { sandbox }) {
    const { journal, changes } = sandbox()
    journal.set(journalOptions(body).journal)
    changes.notify([() => journal.makeRoom()], null)
    return { on: journal.settings.on, bytes: journal.settings.maxBytes }
  },
})

export const journalClear = controlOperation({
  id: 'journal.clear',
  method: 'DELETE',
  path: '/sandboxes/:id/journal',
  storesNothing: true,
  title: 'Clear the journal',
  data: Type.Object({
    newest: Type.Integer({ description: 'the next entry has the number after this one' }),
  }),
  answer(_, { sandbox }) {
    const { journal } = sandbox()
    journal.clear()
    return { newest: journal.newest }
  },
})

// The journal as server-sent events.

/** Maximum length of text that waits for a reader; later entries wait in the journal. */
const WAITING_MAX = 1 << 16

/** Entries after `since`, then new ones; ends when the sandbox is dropped or reset. */
function journalStream(
  { sandbox: named, pending }: ControlCall,
  filter: JournalFilterFields,
): ReadableStream<string> {
  const sandbox = named()
  const leave = pending.enter('streams')
  const events = new JournalEvents(sandbox, filter)
  const removeStopListener = sandbox.onStop(() => end())
  const forgetAnswers = filter.answers ? sandbox.journal.keepAnswers() : () => {}
  const forgetFrames = filter.console ? sandbox.journal.keepConsoleFrames() : () => {}
  const end = () => {
    forgetAnswers()
    forgetFrames()
    removeStopListener()
    events.stop()
    leave()
  }
  return new ReadableStream<string>({
    // A first line tells the reader that the stream is open.
    start: (controller) => controller.enqueue(': the journal\n\n'),
    async pull(controller) {
      const text = await events.next()
      if (text === null) controller.close()
      else controller.enqueue(text)
    },
    cancel: end,
  })
}

/**
 * Events for one reader, with its place in the journal: unread entries stay there, until they are
 * dropped for newer ones.
 */
class JournalEvents {
  private readonly journal: Journal
  /** Number of the last checked entry. */
  private seq: number
  private waiting = ''
  /** Length charged to the sandbox: waiting text, or the last piece given out. */
  private charged = 0
  private wake: () => void = () => {}
  private isStopped = false
  private readonly removeListener: () => void

  constructor(
    private readonly sandbox: Sandbox,
    private readonly filter: JournalFilterFields,
  ) {
    this.journal = sandbox.journal
    this.seq = filter.since ?? this.journal.newest
    this.removeListener = this.journal.listen((entry) => this.note(entry))
  }

  /** The next events, as soon as there are some; null after the end. */
  async next(): Promise<string | null> {
    while (!this.isStopped && this.waiting === '') {
      const woken = new Promise<void>((resume) => {
        this.wake = resume
      })
      await this.sandbox.turns.run(this.sandbox, this.readOn(), 'a live journal')
      if (this.waiting === '' && !this.isStopped) await woken
    }
    const text = this.waiting
    this.waiting = ''
    this.charge(text.length)
    return this.isStopped ? null : text
  }

  stop(): void {
    this.isStopped = true
    this.waiting = ''
    this.charge(0)
    this.removeListener()
    this.wake()
  }

  private charge(length: number): void {
    this.sandbox.memory.add('calls', length - this.charged)
    this.charged = length
  }

  /** Handles a new entry: a reader at the end takes it at once, as it may not be kept. */
  private note(entry: JournalEntry): void {
    if (this.seq === entry.seq - 1 && this.waiting.length < WAITING_MAX) this.take(entry)
    this.wake()
  }

  /** Reads entries from the journal, as many as may wait. */
  private *readOn(): Slices<void> {
    while (this.seq < this.journal.newest && this.waiting.length < WAITING_MAX) {
      const missed = this.journal.oldest - this.seq - 1
      if (missed > 0) {
        this.waiting += `event: dropped\ndata: ${missed}\n\n`
        this.seq += missed
      }
      const entry = this.journal.entry(this.seq + 1)
      if (entry) this.take(entry)
      yield
    }
  }

  private take(entry: JournalEntry): void {
    this.seq = entry.seq
    if (!matchesFilter(entry, this.filter)) return
    const shown = journalEntryView(redactedEntry(entry))
    this.waiting += `id: ${entry.seq}\ndata: ${JSON.stringify(shown)}\n\n`
    this.charge(this.waiting.length)
  }
}
