import { tradeFlaw } from '../market/casting/venue.ts'
import { MOST_EXACT } from '../market/world/money-decimals.ts'
import { UserError } from '../platform/user-error.ts'
import type { SecretRemover } from './har/har-import.ts'
import { type BadRow, BadRows, LeftOut } from './importers/bad-rows.ts'
import { namesUnused } from './importers/contract-size.ts'
import { DraftStream } from './importers/draft-stream.ts'
import { importerNamed, type RecognisedFile, recognise } from './importers/form-choice.ts'
import type { ContractSize, Importer, ImportOptions } from './importers/importer.ts'
import type { Mapping } from './importers/mapping/mapping.ts'
import { mergedInstruments } from './importers/market-symbol.ts'
import { openRecording, type RecordingFile } from './importers/recording-file.ts'
import { SeenTrades } from './importers/trade-ids.ts'
import { OrderBook } from './order-book.ts'
import { type ByteSource, baseName, type SourceOptions, sourcesOf } from './sources/source-list.ts'
import type { EventDraft, LiquidationData, TapeHeader, TradeData } from './tape-event.ts'
import { createTape, EventFlaw, type TapeWriter } from './tape-writer.ts'
import { KeptParts } from './text-sink.ts'

/**
 * Makes a tape from recordings: files, folders, `http(s)://` and `s3://` addresses.
 *
 * An event's time is the source's own, but never before that of the previous event: a trade then
 * keeps its own time in `sourceTimeMs`. An invalid line is a `UserError` naming file and line,
 * unless it is tolerated. The tape gets its name only after success.
 */
export async function importTape(
  names: readonly string[],
  out: string,
  request: ImportRequest = {},
): Promise<ImportReport> {
  const sources = await sourcesOf(names, request)
  const files = await openFiles(sources, request)
  const found = recognise(files, request)
  const badRows = new BadRows(request.tolerate ?? 0)
  const options = optionsOf(found, request)
  const streams = new MergedStreams(await waitingStreams(found, options, badRows))
  const leftOut = new LeftOut()
  const join = new LiquidationJoin(options.hasTrades, leftOut)
  const forms = [...new Set(found.map(({ importer }) => importer.name))]
  const source = `${forms.join(' ')} ${sourceText(names)}`
  const kept = request.resume ? await KeptParts.open(out, keyOf(sources, request)) : null
  const writer = await createTape(out, { source, instruments: [] }, kept)
  try {
    const late = new LateEvents()
    const crossed = new CrossedBooks()
    const write = monotonicWriter(writer, join, { late, crossed, leftOut })
    const lines = await writeAll(
      streams,
      { write, keep: () => writer.keep() },
      files.length,
      request,
    )
    join.end()
    for (const { reader } of streams.opened)
      for (const [what, by] of reader.leftOut) leftOut.count(what, by)
    if (writer.events === 0) throw new UserError(emptyText(names, lines, leftOut))
    const header = await writer.finish(
      mergedInstruments(streams.opened.flatMap(({ reader }) => reader.instruments())),
    )
    const reported = { lines, leftOut, badRows, late, crossed: crossed.list() }
    const { knownContracts } = options
    const contracts = { unusedContracts: namesUnused(options), knownContracts }
    return { forms, header, files: files.length, ...reported, ...contracts }
  } finally {
    await streams.close()
    await writer.abandon()
  }
}

async function openFiles(sources: readonly ByteSource[], { from }: ImportRequest) {
  const wanted = from === undefined ? undefined : importerNamed(from).container
  const files: RecordingFile[] = []
  for (const source of sources) files.push(await openRecording(source, wanted))
  if (files.length === 0) throw new UserError('no file is given to import')
  return files
}

/** Reason for an empty result. */
function emptyText(names: readonly string[], lines: number, leftOut: LeftOut): string {
  const left = [...leftOut].map(([what, count]) => `${count} x ${what}`).join(', ')
  const why = lines === 0 ? 'there is no record in it' : 'none of it becomes an event'
  const shown = names.slice(0, NAMES_MAX).join(' ')
  return `${shown}: ${why}${left === '' ? '' : `; left out: ${left}`}`
}

/** Identifies the events of an import: the present state of its sources, and the options. */
function keyOf(sources: readonly ByteSource[], request: ImportRequest): string {
  const { from, mapping, resync, coin, contracts } = request
  const read = sources.map(({ name, version }) => [name, version])
  const text = JSON.stringify([read, from, mapping, resync, coin, [...(contracts ?? [])]])
  return new Bun.CryptoHasher('sha256').update(text).digest('hex')
}

/** Interval of progress reports in lines. */
const PROGRESS_LINES = 10_000
/** Maximum number of names in the header. */
const NAMES_MAX = 8

function sourceText(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_MAX).map(baseName).join(' ')
  return names.length > NAMES_MAX ? `${shown} and ${names.length - NAMES_MAX} more` : shown
}

function optionsOf(found: readonly RecognisedFile[], request: ImportRequest): ImportOptions {
  return {
    resync: request.resync ?? false,
    coin: request.coin ?? null,
    contracts: request.contracts ?? new Map(),
    usedContracts: new Set(),
    knownContracts: new Map(),
    secrets: request.secrets ?? null,
    hasTrades: found.some(({ file, importer }) => importer.tellsTrades?.(file.sample)),
    trades: new SeenTrades(),
  }
}

/** One stream for a recording in several files, or else one for each of them. */
async function waitingStreams(
  found: readonly RecognisedFile[],
  options: ImportOptions,
  badRows: BadRows,
): Promise<WaitingStream[]> {
  const stream = (
    importer: Importer,
    files: RecordingFile[],
    bad: BadRows,
    own: ImportOptions = options,
  ) => new DraftStream(files, importer, importer.createReader(own), bad, own.trades)
  const [first] = found
  if (first && (found.length === 1 || first.importer.order === 'sequence')) {
    const files = found.map(({ file }) => file)
    return [{ firstMs: 0, open: () => stream(first.importer, files, badRows) }]
  }
  const waiting: WaitingStream[] = []
  for (const { file, importer } of found) {
    const bad = new BadRows(Number.POSITIVE_INFINITY)
    const glance = stream(importer, [file], bad, { ...options, trades: new SeenTrades() })
    await glance.next()
    await glance.close()
    const firstMs = glance.drafts.length > 0 ? glance.timeMs : Number.POSITIVE_INFINITY
    waiting.push({ firstMs, open: () => stream(importer, [file], badRows) })
  }
  return waiting
}

/** Destination of the records' events. */
interface EventOutput {
  write(stream: DraftStream): Promise<void> | undefined
  keep(): Promise<void> | undefined
}

async function writeAll(
  streams: MergedStreams,
  { write, keep }: EventOutput,
  files: number,
  { onProgress, signal }: ImportRequest,
): Promise<number> {
  let [stream, lines, reported] = [await streams.first(), 0, 0]
  while (stream !== null) {
    const before: number = stream.records
    const drained = write(stream)
    if (drained) await drained
    const keeping = keep()
    if (keeping) await keeping
    const read = streams.advance(stream)
    if (read) await read
    if (read && signal?.aborted) throw new UserError('is interrupted')
    lines += stream.records - before
    if (lines - reported >= PROGRESS_LINES) {
      reported = lines - (lines % PROGRESS_LINES)
      onProgress?.({ lines: reported, begun: streams.begun(), files })
    }
    if (stream.drafts.length === 0 || !streams.isAlone()) {
      const next = streams.first()
      stream = next instanceof Promise ? await next : next
    }
  }
  return streams.opened.reduce((sum, { records }) => sum + records, 0)
}

/** Events long before their predecessor. */
class LateEvents {
  count = 0
  /** Largest distance of one of them. */
  mostMs = 0

  take(lateMs: number): void {
    if (lateMs <= LATE_MS) return
    this.count++
    this.mostMs = Math.max(this.mostMs, lateMs)
  }
}

/** Streams of a source differ by seconds. */
const LATE_MS = 60_000

/** Tracks the books of an import to report crossed ones. */
class CrossedBooks {
  private readonly coins = new Map<string, { book: OrderBook; found: CrossedBook | null }>()
  private readonly crossedNow = new Set<string>()

  take(event: EventDraft): void {
    if (event.kind !== 'book' && event.kind !== 'delta') return
    const { coin, time: firstMs } = event
    let followed = this.coins.get(coin)
    if (followed === undefined) {
      followed = { book: new OrderBook(), found: null }
      this.coins.set(coin, followed)
    }
    const { book } = followed
    book.apply(event)
    if (!book.isCrossed()) return void this.crossedNow.delete(coin)
    if (this.crossedNow.has(coin)) return
    this.crossedNow.add(coin)
    const [bid = '', ask = ''] = [book.bestBid()?.[0], book.bestAsk()?.[0]]
    followed.found ??= { coin, count: 0, firstMs, bid, ask }
    followed.found.count++
  }

  list(): CrossedBook[] {
    const found = [...this.coins.values()].flatMap(({ found: one }) => one ?? [])
    return found.sort((a, b) => a.firstMs - b.firstMs)
  }
}

const TOO_LARGE =
  `trade worth more than ${MOST_EXACT.toLocaleString('en-US')}, which cannot be cast: ` +
  'contracts need --contract'

/** Writes events of streams; one before its predecessor gets that one's time. */
function monotonicWriter(
  writer: TapeWriter,
  join: LiquidationJoin,
  { late, crossed, leftOut }: { late: LateEvents; crossed: CrossedBooks; leftOut: LeftOut },
): (stream: DraftStream) => Promise<void> | undefined {
  let lastMs = 0
  const writeOne = (draft: EventDraft) => {
    const isLate = draft.time < lastMs
    const written = writer.write(isLate ? movedTo(lastMs, draft) : draft)
    if (isLate) late.take(lastMs - draft.time)
    else lastMs = draft.time
    crossed.take(draft)
    if (draft.kind === 'trade' && tradeFlaw(draft.coin, draft.data.px, draft.data.sz))
      leftOut.count(TOO_LARGE)
    return written
  }
  return (stream) => {
    let drained: Promise<void> | undefined
    try {
      for (const draft of stream.drafts)
        if (join.passes(draft)) drained = both(drained, writeOne(draft))
        else for (const joined of join.put(draft)) drained = both(drained, writeOne(joined))
    } catch (error) {
      if (!(error instanceof EventFlaw)) throw error
      stream.refuse(error.flaw)
    }
    return drained
  }
}

function movedTo(time: number, draft: EventDraft): EventDraft {
  const moved = { ...draft, time } as EventDraft
  if (moved.kind === 'trade') moved.data = { ...moved.data, sourceTimeMs: draft.time }
  return moved
}

/** Awaits both of two optional promises; there is rarely any. */
function both(
  one: Promise<void> | undefined,
  other: Promise<void> | undefined,
): Promise<void> | undefined {
  return one && other ? Promise.all([one, other]).then(() => {}) : (one ?? other)
}

/** A stream opened at its start time. */
interface WaitingStream {
  /** Time of its first event; infinite for an empty one. */
  firstMs: number
  open(): DraftStream
}

/**
 * The records of several streams in order of time; at the same moment, in the order of the streams.
 * Streams are opened only when their time has come.
 */
class MergedStreams {
  private readonly waiting: (WaitingStream & { rank: number })[]
  private active: { stream: DraftStream; rank: number }[] = []
  /** All opened streams, for their findings. */
  readonly opened: DraftStream[] = []

  constructor(streams: readonly WaitingStream[]) {
    this.waiting = streams
      .map(({ firstMs, open }, rank) => ({ firstMs, open, rank }))
      .sort((a, b) => a.firstMs - b.firstMs || a.rank - b.rank)
  }

  /** The stream with the next record, or null at the end; a promise where one must be opened. */
  first(): DraftStream | null | Promise<DraftStream | null> {
    const head = this.earliest()
    const [next] = this.waiting
    if (next === undefined || (head !== null && head.timeMs < next.firstMs)) return head
    this.waiting.shift()
    return this.open(next)
  }

  /** The next record of the first stream; a promise where it must be read. */
  advance(stream: DraftStream): Promise<void> | undefined {
    const waiting = stream.next()
    if (waiting) return waiting.then(() => this.drop(stream))
    this.drop(stream)
    return undefined
  }

  /** Number of opened files. */
  begun(): number {
    return this.opened.reduce((sum, { begun }) => sum + begun, 0)
  }

  /** True when no other stream can come in between: this one may continue alone. */
  isAlone(): boolean {
    return this.active.length === 1 && this.waiting.length === 0
  }

  async close(): Promise<void> {
    for (const stream of this.opened) await stream.close()
  }

  private async open(next: WaitingStream & { rank: number }): Promise<DraftStream | null> {
    const stream = next.open()
    this.opened.push(stream)
    await stream.next()
    if (stream.drafts.length > 0) {
      this.active.push({ stream, rank: next.rank })
      this.active.sort((a, b) => a.rank - b.rank)
    } else await stream.close()
    return this.first()
  }

  private drop(stream: DraftStream): void {
    if (stream.drafts.length === 0) this.active = this.active.filter((one) => one.stream !== stream)
  }

  private earliest(): DraftStream | null {
    let first: DraftStream | null = null
    for (const { stream } of this.active)
      if (first === null || stream.timeMs < first.timeMs) first = stream
    return first
  }
}

type Trade = EventDraft & { kind: 'trade' }
type Liquidation = EventDraft & { kind: 'liquidation' }

/** Exchanges publish a liquidation before its trade, or right with it. */
const WAIT_MS = 5000

/**
 * Places liquidations without trades right before their trade, as in a tape: the coin's next one of
 * their side, price and size. Where no trades are imported each creates its own; one without a
 * matching trade is skipped.
 */
class LiquidationJoin {
  private waiting: Liquidation[] = []

  constructor(
    private readonly hasTrades: boolean,
    private readonly leftOut: LeftOut,
  ) {}

  /** Whether an event is written unchanged: nothing is waiting for it, and it waits for nothing. */
  passes(draft: EventDraft): boolean {
    return draft.kind !== 'liquidation' && this.waiting.length === 0
  }

  /** Returns the events to write for an event. */
  put(draft: EventDraft): readonly EventDraft[] {
    if (draft.kind === 'liquidation' && draft.data.tids.length === 0) return this.hold(draft)
    this.forget(draft.time)
    if (draft.kind !== 'trade') return [draft]
    const found = this.waiting.find((one) => isOf(one, draft))
    if (found === undefined) return [draft]
    this.waiting = this.waiting.filter((one) => one !== found)
    return pair(found.data, draft)
  }

  /** Counts the liquidations that never found a trade. */
  end(): void {
    this.forget(Number.POSITIVE_INFINITY)
  }

  private hold(draft: Liquidation): readonly EventDraft[] {
    if (this.hasTrades) {
      this.forget(draft.time)
      this.waiting.push(draft)
      return []
    }
    const { time, coin, data } = draft
    const trade: TradeData = { side: sideOf(data), px: data.markPx, sz: data.sz }
    return pair(data, { time, kind: 'trade', coin, data: trade })
  }

  private forget(nowMs: number): void {
    const still = this.waiting.filter(({ time }) => time + WAIT_MS >= nowMs)
    const gone = this.waiting.length - still.length
    if (gone > 0) this.leftOut.count('liquidation whose trade did not come within 5 s', gone)
    this.waiting = still
  }
}

/** A long is closed by selling. */
const sideOf = ({ position }: LiquidationData) => (position === 'long' ? 'A' : 'B')

const isOf = ({ coin, data }: Liquidation, trade: Trade): boolean =>
  coin === trade.coin &&
  trade.data.side === sideOf(data) &&
  trade.data.px === data.markPx &&
  trade.data.sz === data.sz

/** A trade without a number gets its time as one, which no exchange's numbers reach. */
function pair(data: LiquidationData, trade: Trade): EventDraft[] {
  const { time, coin } = trade
  const tid = trade.data.tid ?? time * 1000
  return [
    { time, kind: 'liquidation', coin, data: { ...data, tids: [tid] } },
    { time, kind: 'trade', coin, data: { ...trade.data, tid } },
  ]
}

/** Request and result of an import. */
export interface ImportRequest extends SourceOptions {
  /** Name of the form; by default it is detected from the beginning of each file. */
  from?: string
  /** Mapping for files of a custom form; replaces a form. */
  mapping?: Mapping
  /** Continue after a break in a chain of book changes, at the next full book. */
  resync?: boolean
  /** Number of invalid lines or rows to skip; one more ends the import. */
  tolerate?: number
  /** Name of the coin where a file has none. */
  coin?: string
  /** Contract sizes, by symbol or coin. */
  contracts?: ReadonlyMap<string, ContractSize>
  /** Keeps finished parts beside the tape on an interruption, and resumes from them. */
  resume?: boolean
  /** Removes secrets from HAR documents; required to import one. */
  secrets?: SecretRemover
  onProgress?: (progress: ImportProgress) => void
  /** Aborts the import, which leaves only kept parts. */
  signal?: AbortSignal
}

interface ImportProgress {
  /** Lines and rows read, in tens of thousands. */
  lines: number
  /** Number of opened files, and of all files. */
  begun: number
  files: number
}

export interface ImportReport {
  /** The forms of the files, each once. */
  forms: string[]
  header: TapeHeader
  files: number
  /** Lines and rows read. */
  lines: number
  /** Skipped records by reason, with their number. */
  leftOut: ReadonlyMap<string, number>
  badRows: { count: number; reported: readonly BadRow[] }
  /** Events that were moved by more than a minute because later ones came first. */
  late: { count: number; mostMs: number }
  /** Crossed books by coin, in the order of their first crossing. */
  crossed: readonly CrossedBook[]
  /** Symbols and coins with a given contract size that no record used. */
  unusedContracts: string[]
  /** Contract sizes of symbols known for their exchange. */
  knownContracts: ReadonlyMap<string, ContractSize>
}

/** A coin's crossed book: how often it became so, and its first crossing. */
export interface CrossedBook {
  coin: string
  count: number
  firstMs: number
  bid: string
  ask: string
}
