/** Makes a tape from recorded traffic: responses and frames become a market. */
import { writeFile } from 'node:fs/promises'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../clock/instant.ts'
import { UserError } from '../../../platform/user-error.ts'
import { CandleSeries } from '../../candles/candle-series.ts'
import type { EventDraft, TapeEvent, TapeHeader } from '../../tape-event.ts'
import { openTape } from '../../tape-reader.ts'
import { createTape } from '../../tape-writer.ts'
import { type RecordedPost, SocketFollower } from '../socket-follower.ts'
import type { RecordedRoutes } from '../upstream.ts'
import { recordedData, recordedRequest, requestedValues } from '../upstream.ts'
import { firstPrices, MarketAssembly } from './market-assembly.ts'
import type { CandleFact } from './market-fact.ts'
import { type Finding, Findings, isoOf } from './market-fact.ts'
import { OF_ACCOUNTS, recogniserOf } from './recognisers/index.ts'

export interface NormaliseRequest {
  /** Files of one recording, in their order. */
  files: readonly string[]
  out: string
  /** Output file of the candles before the tape. */
  historyOut: string
  /** Start of the tape, ms; by default that of the recording. */
  fromMs?: number
  /** Selected coins. */
  coins?: readonly string[]
}

export interface NormaliseReport {
  header: TapeHeader
  /** Coins whose candles were written; null for none. */
  history: { file: string; coins: readonly string[] } | null
  /** Responses and frames with market facts, by operation or channel. */
  recognised: readonly Finding[]
  /** Those of accounts and orders, which follow from the trades. */
  ofAccounts: readonly Finding[]
  /** Everything else, with reasons. */
  leftOut: readonly Finding[]
  contradictions: readonly Finding[]
}

/** Reads the recording, writes tape and history; a UserError where it contains no market. */
export async function normalise(
  request: NormaliseRequest,
  routes: RecordedRoutes,
): Promise<NormaliseReport> {
  const { files, out, historyOut, coins } = request
  const reading = new RecordingReading(routes, coins ? new Set(coins) : null)
  const span = await reading.read(files)
  const { market } = reading
  const fromMs = request.fromMs ?? span.startMs
  const events = market.events(fromMs)
  if (events.length === 0) throw new UserError(emptyText(files, fromMs, reading.leftOut.list()))
  const source = `normalised ${files.map((file) => file.replace(/^.*\//, '')).join(' ')}`
  const instruments = market.instrumentsOf(events)
  const about = { startMs: events[0]?.time ?? fromMs, firstPrices: firstPrices(events) }
  const past = historyText(market.candles.series(), about, market.contradictions)
  const header = await writeEvents(out, { source, instruments }, events)
  if (past) await writeFile(historyOut, past.text)
  return {
    header,
    history: past && { file: historyOut, coins: past.coins },
    recognised: reading.recognised.list(),
    ofAccounts: reading.ofAccounts.list(),
    leftOut: [...reading.leftOut.list(), ...market.leftOut.list()],
    contradictions: market.contradictions.list(),
  }
}

function emptyText(files: readonly string[], fromMs: number, leftOut: readonly Finding[]): string {
  const reported = leftOut.map(({ what, count, examples: [first] }) =>
    [`${count} x ${what}`, ...(first === undefined ? [] : [`(${first})`])].join(' '),
  )
  const met = reported.length === 0 ? '' : `; left out: ${reported.slice(0, SHOWN_MAX).join(', ')}`
  return (
    `${files.join(', ')}: says nothing of a market from ${isoOf(fromMs)} on; --from names an ` +
    `earlier beginning, which includes the trades and books reported from before${met}`
  )
}

/** Maximum number of skipped kinds in a line. */
const SHOWN_MAX = 5

async function writeEvents(
  out: string,
  about: Parameters<typeof createTape>[1],
  events: readonly EventDraft[],
): Promise<TapeHeader> {
  const tape = await createTape(out, about)
  try {
    for (const event of events) {
      const drained = tape.write(event)
      if (drained) await drained
    }
    return await tape.finish()
  } finally {
    await tape.abandon()
  }
}

class RecordingReading {
  readonly recognised = new Findings()
  readonly ofAccounts = new Findings()
  readonly leftOut = new Findings()
  readonly market: MarketAssembly
  private readonly sockets: SocketFollower

  constructor(
    private readonly routes: RecordedRoutes,
    coins: ReadonlySet<string> | null,
  ) {
    this.market = new MarketAssembly(coins)
    this.sockets = new SocketFollower(routes)
  }

  async read(files: readonly string[]): Promise<{ startMs: number }> {
    let startMs = Number.POSITIVE_INFINITY
    for (const file of files) {
      const tape = await openTape(file)
      startMs = Math.min(startMs, tape.header.startMs)
      for await (const batch of tape.events()) for (const event of batch) this.take(event)
    }
    return { startMs }
  }

  private take(event: TapeEvent): void {
    if (event.kind === 'exchange') this.exchange(event)
    else if (event.kind === 'connection') this.sockets.connection(event.data)
    else if (event.kind === 'frame') {
      const reported = this.sockets.frame(event.data, event.time)
      if (reported && 'question' in reported) this.post(event, reported)
      else if (reported) this.understand(event, `channel/${reported.channel}`, reported.data, {})
    } else if (event.kind !== 'gap') this.leftOut.note(`${event.kind}, which is a market already`)
  }

  private exchange(event: Extract<TapeEvent, { kind: 'exchange' }>): void {
    const { data } = event
    const requested = recordedRequest(data, this.routes)
    if (!requested)
      return this.leftOut.note(`${data.method} of a path that is none of the contract's`)
    const { operation, type } = requested
    const source = type === null ? operation.id : `info/${type}`
    const recordedBody = recordedData(operation, data)
    if (recordedBody === undefined) {
      const why = data.status === 200 ? 'without data' : `with status ${data.status}`
      return this.leftOut.note(`${source} ${why}`)
    }
    this.understand(event, source, recordedBody, requestedValues(requested))
  }

  private post(event: TapeEvent, { question, response }: RecordedPost): void {
    const { type } = (question ?? {}) as { type?: unknown }
    const { data } = (response.payload ?? {}) as { data?: unknown }
    if (response.type !== 'info' || data === undefined)
      return this.leftOut.note(`info/${type} over a socket, refused`)
    this.understand(event, `info/${type}`, data, question as Record<string, unknown>)
  }

  private understand(
    { time, seq }: TapeEvent,
    source: string,
    data: unknown,
    requested: Readonly<Record<string, unknown>>,
  ): void {
    const recogniser = recogniserOf(source)
    if (!recogniser) return (OF_ACCOUNTS.has(source) ? this.ofAccounts : this.leftOut).note(source)
    try {
      const { market } = this
      const facts = recogniser.facts({ data, requested, timeMs: time, numbers: market.numbers })
      for (const fact of facts) market.add(fact, time)
      this.recognised.note(source)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      this.leftOut.note(`${source} that cannot be read`, `event ${seq} ${error.message}`)
    }
  }
}

// Candles of a recording in the format of `--history`: for the time before the tape.

/** Length of a world's history. */
const PAST_MS = 30 * DAY_MS
/** A last price farther from the tape's first one belongs to another market. */
const SEAM_MAX = 0.05

/** Text of a file of candles; null where no coin's candles reach the tape. */
function historyText(
  series: ReadonlyMap<string, readonly CandleFact[][]>,
  { startMs, firstPrices }: { startMs: number; firstPrices: ReadonlyMap<string, string> },
  contradictions: Findings,
): { text: string; coins: string[] } | null {
  const lines: string[] = []
  const coins: string[] = []
  for (const [coin, ofCoin] of series) {
    const first = firstPrices.get(coin)
    if (first === undefined) continue
    const best = bestRun(ofCoin.map((candles) => lastRun(candles, startMs)))
    if (!best || !meets(best, first, contradictions)) continue
    coins.push(coin)
    for (const { startMs: t, open, high, low, close, volume } of best)
      lines.push([t, open, high, low, close, volume, coin].join(','))
  }
  if (lines.length === 0) return null
  return { text: `time,open,high,low,close,volume,coin\n${lines.join('\n')}\n`, coins }
}

/** The run that goes back furthest, within a world's history; of two equal ones the finer one. */
function bestRun(runs: readonly CandleFact[][]): CandleFact[] | undefined {
  const [best] = runs
    .filter((run) => run.length >= 2)
    .sort((a, b) => reach(b) - reach(a) || length(a) - length(b))
  return best
}

const length = (run: readonly CandleFact[]): number => run[0]?.lengthMs ?? 0
const reach = (run: readonly CandleFact[]): number => Math.min(PAST_MS, run.length * length(run))

/** The last gapless candles, if they reach the tape. */
function lastRun(candles: readonly CandleFact[], startMs: number): CandleFact[] {
  const lengthMs = candles[0]?.lengthMs ?? 0
  if (lengthMs < MINUTE_MS || lengthMs > DAY_MS || DAY_MS % lengthMs !== 0) return []
  const past = candles.filter((candle) => candle.startMs + lengthMs <= startMs)
  let run: CandleFact[] = []
  let series = new CandleSeries('', null)
  for (const [at, candle] of past.entries()) {
    const before = run.at(-1)
    const isNext = before === undefined || candle.startMs - before.startMs === lengthMs
    if (!isNext || !isTaken(series, candle, at)) {
      run = []
      series = new CandleSeries('', null)
      isTaken(series, candle, at)
    }
    run.push(candle)
  }
  const endMs = (run.at(-1)?.startMs ?? 0) + lengthMs
  return startMs - endMs <= Math.max(HOUR_MS, lengthMs) ? run : []
}

/** A gap, or an implausible price change, begins another run. */
function isTaken(series: CandleSeries, candle: CandleFact, line: number): boolean {
  const { startMs: timeMs, open, high, low, close, volume } = candle
  try {
    series.add({ line, timeMs, open, high, low, close, volume }, 'milliseconds')
    return true
  } catch (error) {
    if (error instanceof UserError) return false
    throw error
  }
}

function meets(run: readonly CandleFact[], first: string, contradictions: Findings): boolean {
  const { coin, close } = run.at(-1) as CandleFact
  const isNear = Math.abs(Number(close) / Number(first) - 1) <= SEAM_MAX
  if (!isNear)
    contradictions.note(
      'candles that end far from the first price',
      `${coin}: the last one closed at ${close}, and the first price is ${first}`,
    )
  return isNear
}
