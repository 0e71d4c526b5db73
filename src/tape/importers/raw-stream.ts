import { UserError } from '../../platform/user-error.ts'
import type { UnknownRecord } from '../recorded-data.ts'
import type { BookData, EventDraft, Instrument, Level } from '../tape-event.ts'
import { LeftOut } from './bad-rows.ts'
import { coinSize, contractOf } from './contract-size.ts'
import { frameTimeMs } from './csv-cells.ts'
import { DecimalReader } from './decimal-reader.ts'
import type { ContractSize, Importer, ImportOptions, RecordingReader } from './importer.ts'
import { guessInstrument, type Market, splitPair, splitSymbol } from './market-symbol.ts'
import { rawDataOf, rawEventOf, rawMarketOf } from './raw-market.ts'
import { GREETED, type RecordedLine, readEnvelope } from './recorded-line.ts'
import { hourlyRate } from './venue-contexts.ts'

/** Specifics of one market of an exchange. */
export interface RawMarket {
  /** Coin and quote of a symbol. */
  split(symbol: string): Market
  /** Contract size; null where sizes are in coins. */
  contract(options: ImportOptions, symbol: string, coin: string): ContractSize | null
}

interface Stream {
  market: Market
  contract: ContractSize | null
  chain: DepthChain
  /** `trade` or `aggTrade`, whichever came first: both contain the same trades. */
  trades: string | null
}

/**
 * An exchange's raw stream: `{"stream": …, "data": {"e": …}}`, wrapped or not, and depth snapshots,
 * in the lines of a collector.
 *
 * `depthUpdate`, `trade` or `aggTrade`, `bookTicker`, `markPriceUpdate` and snapshots become
 * events, the rest is counted and skipped. Times are the matching engine's (`T`); a frame without
 * one has that of the frame before. The source has no number of orders, so it is 1.
 */
class RawStreamReader implements RecordingReader {
  readonly leftOut = new LeftOut()
  private readonly decimals = new DecimalReader(true, this.leftOut)
  private readonly streams = new Map<string, Stream>()
  /** A snapshot before any frame that names a symbol. */
  private earlyFrame: UnknownRecord | null = null
  private latestMs = 0
  private readonly gaps = new ReconnectGaps()

  constructor(
    private readonly market: RawMarket,
    private readonly options: ImportOptions,
  ) {}

  record(line: RecordedLine): EventDraft[] {
    const { frame, localMs, isGap, isGreeting } = readEnvelope(line)
    if (isGreeting) {
      this.leftOut.count(GREETED)
      return []
    }
    return isGap ? this.disconnected() : this.gaps.before(this.frame(frame, localMs))
  }

  private frame(frame: UnknownRecord, localMs: number | null): EventDraft[] {
    if (this.latestMs === 0) this.latestMs = localMs ?? 0
    const data = rawDataOf(frame)
    if (typeof data.lastUpdateId === 'number') return this.snapshot(data)
    const event = rawEventOf(frame, data)
    if (event === null || typeof data.s !== 'string') {
      this.leftOut.count('frame without an event and a symbol')
      return []
    }
    return [...this.adoptEarly(data.s), ...this.events(event, data, this.stream(data.s))]
  }

  end(): EventDraft[] {
    if (this.earlyFrame) this.leftOut.count('depth snapshot whose symbol no frame names')
    for (const { chain } of this.streams.values()) chain.end()
    return []
  }

  instruments(): Instrument[] {
    return [...this.streams.values()].map(({ market: { coin, quote } }) =>
      guessInstrument(coin, quote, this.decimals.decimals(coin)),
    )
  }

  private disconnected(): EventDraft[] {
    this.gaps.begin(this.latestMs)
    for (const { chain } of this.streams.values()) chain.reset()
    return []
  }

  /** The exchange's response to a depth request does not name its symbol. */
  private snapshot(data: UnknownRecord): EventDraft[] {
    const named = data.symbol ?? data.s
    if (typeof named === 'string') return this.stream(named).chain.snapshot(data)
    const [stream, second] = this.streams.values()
    if (second !== undefined)
      throw new UserError(
        'is a depth snapshot that names no symbol, in a recording of several; import one at a time',
      )
    if (stream !== undefined) return stream.chain.snapshot(data)
    this.earlyFrame = data
    return []
  }

  /** Assigns the waiting snapshot to a symbol. */
  private adoptEarly(symbol: string): EventDraft[] {
    const snapshot = this.earlyFrame
    this.earlyFrame = null
    return snapshot ? this.stream(symbol).chain.snapshot(snapshot) : []
  }

  private events(event: string, data: UnknownRecord, stream: Stream): EventDraft[] {
    if (event === 'depthUpdate') return stream.chain.update(data)
    if (event === 'trade' || event === 'aggTrade') return this.trade(event, data, stream)
    if (event === 'bookTicker') return [this.ticker(data, stream)]
    if (event === 'markPriceUpdate') return this.marks(data, stream)
    this.leftOut.count(`frame of event ${event}`)
    return []
  }

  private trade(event: string, data: UnknownRecord, stream: Stream): EventDraft[] {
    const { coin } = stream.market
    stream.trades ??= event
    if (stream.trades !== event) {
      this.leftOut.count(`${event}, which ${stream.trades} contains too`)
      return []
    }
    const px = data.q === '0' ? '1' : this.decimals.px(coin, data.p)
    const sz = this.size(stream, data.q, px)
    if (sz === '0') this.leftOut.count(`trade of size 0 (${String(data.X)})`)
    if (sz === '0') return []
    if (typeof data.m !== 'boolean') throw new UserError('has a trade without m, the maker flag')
    const id = event === 'trade' ? data.t : data.a
    const tid = typeof id === 'number' ? { tid: id } : {}
    // m: the buyer was the maker, so the taker sold.
    const side = data.m ? 'A' : 'B'
    return [{ time: this.time(data), kind: 'trade', coin, data: { side, px, sz, ...tid } }]
  }

  private ticker(data: UnknownRecord, stream: Stream): EventDraft {
    const { coin } = stream.market
    const level = (written: unknown, sz: unknown) => {
      const px = this.decimals.decimal(written)
      const size = this.size(stream, sz, px)
      return size === '0' ? null : ([this.decimals.px(coin, written), size, 1] as const)
    }
    const best = { bid: level(data.b, data.B), ask: level(data.a, data.A) }
    return { time: this.time(data), kind: 'bbo', coin, data: best }
  }

  private marks(data: UnknownRecord, { market: { coin } }: Stream): EventDraft[] {
    const time = this.time(data)
    const [mark, oracle] = [data.p, data.i].map((value) => this.decimals.decimal(value))
    const drafts: EventDraft[] = []
    if (mark && oracle) drafts.push({ time, kind: 'mark', coin, data: { mark, oracle } })
    // A dated future has an empty rate.
    if (typeof data.r === 'string' && data.r !== '')
      drafts.push({
        time,
        kind: 'funding',
        coin,
        data: { rate: hourlyRate(this.decimals.decimal(data.r, true), 8) },
      })
    return drafts
  }

  private size({ market, contract }: Stream, written: unknown, px: string): string {
    if (contract === null) return this.decimals.sz(market.coin, written)
    const size = coinSize(this.decimals.decimal(written), px, contract)
    return this.decimals.sz(market.coin, size)
  }

  /** The matching engine's time, else the sending time, else that of the frame before. */
  private time({ T, E }: UnknownRecord): number {
    const time = typeof T === 'number' ? T : E
    if (typeof time !== 'number' && this.latestMs > 0) return this.latestMs
    if (typeof time !== 'number')
      throw new UserError('has neither T nor E, its times in ms, nor has its line a clock')
    // Spot streams may have microseconds.
    const ms = frameTimeMs(time > 1e15 ? Math.floor(time / 1000) : time)
    this.latestMs = Math.max(this.latestMs, ms)
    return ms
  }

  private stream(symbol: string): Stream {
    const known = this.streams.get(symbol)
    if (known) return known
    const market = this.market.split(symbol)
    const contract = this.market.contract(this.options, symbol, market.coin)
    const depth = {
      coin: market.coin,
      size: (written: unknown, px: string) => this.size(stream, written, px),
      time: (data: UnknownRecord) => this.time(data),
    }
    const chain = new DepthChain(depth, this.decimals, this.options, this.leftOut)
    const stream: Stream = { market, contract, chain, trades: null }
    this.streams.set(symbol, stream)
    return stream
  }
}

/**
 * Maximum number of updates that wait for the first snapshot; a request for one takes seconds, not
 * minutes.
 */
const WAITING_MAX = 2000

type ChainState =
  /** No full book yet: updates are queued. */
  | { name: 'waiting'; updates: UnknownRecord[] }
  /** A snapshot without an update after it. */
  | { name: 'fresh'; snapshotId: number }
  /** The last update ended with this id. */
  | { name: 'chained'; lastId: number }

/** Sizes and times of a symbol's stream. */
interface DepthStream {
  coin: string
  /** Converts a written size at a price to coins. */
  size(written: unknown, px: string): string
  /** Time of a frame, ms; some have none of their own. */
  time(data: UnknownRecord): number
}

/**
 * One symbol's book from snapshots and `depthUpdate`s, by the exchange's rules.
 *
 * Updates before the snapshot wait for it; those that end before its `lastUpdateId` are dropped.
 * From then on each one's `pu` is the `u` of the one before; where a stream has no `pu`, its `U` is
 * the number after that. Otherwise the chain is broken.
 */
class DepthChain {
  private state: ChainState = { name: 'waiting', updates: [] }

  constructor(
    private readonly stream: DepthStream,
    private readonly numbers: DecimalReader,
    private readonly options: ImportOptions,
    private readonly leftOut: LeftOut,
  ) {}

  snapshot(data: UnknownRecord): EventDraft[] {
    const { state } = this
    const id = updateId(data, 'lastUpdateId')
    if (state.name !== 'waiting' && id < reachedId(state)) {
      this.leftOut.count('depth snapshot older than the book it would replace')
      return []
    }
    const updates = state.name === 'waiting' ? state.updates : []
    const book: EventDraft = {
      time: this.stream.time(data),
      kind: 'book',
      coin: this.stream.coin,
      data: this.levels({ bids: data.bids, asks: data.asks }, false),
    }
    this.state = { name: 'fresh', snapshotId: id }
    return [book, ...updates.flatMap((update) => this.update(update))]
  }

  update(data: UnknownRecord): EventDraft[] {
    const { state } = this
    const last = updateId(data, 'u')
    if (state.name === 'waiting') {
      // Validated now, so that an error names its own line, not the snapshot's.
      this.levels({ bids: data.b, asks: data.a }, true)
      this.enqueue(state.updates, data)
      return []
    }
    if (last < reachedId(state) || (state.name === 'chained' && last === state.lastId)) {
      this.leftOut.count('depthUpdate older than the book')
      return []
    }
    // Ids count over all symbols: only pu shows whether an update of this symbol is missing.
    if (!follows(data, state)) return this.broken(data, reachedId(state))
    const changes = this.levels({ bids: data.b, asks: data.a }, true)
    const [time, { coin }] = [this.stream.time(data), this.stream]
    // Set after the update was read: a refused one breaks the chain.
    this.state = { name: 'chained', lastId: last }
    return [{ time, kind: 'delta', coin, data: changes }]
  }

  /** Call after a disconnect: updates are dropped until the next snapshot. */
  reset(): void {
    this.end()
    this.state = { name: 'waiting', updates: [] }
  }

  end(): void {
    if (this.state.name !== 'waiting') return
    for (const _ of this.state.updates) this.leftOut.count('depthUpdate without a depth snapshot')
  }

  private broken(data: UnknownRecord, reachedId: number): EventDraft[] {
    if (!this.options.resync)
      throw new UserError(
        `breaks the chain of ${this.stream.coin}'s book: its ${chainText(data)}, the book is at ` +
          `${reachedId}; with --resync the book goes on at the next depth snapshot`,
      )
    this.leftOut.count('break in the chain of depthUpdates')
    this.state = { name: 'waiting', updates: [data] }
    return []
  }

  private enqueue(updates: UnknownRecord[], data: UnknownRecord): void {
    updates.push(data)
    if (updates.length <= WAITING_MAX) return
    updates.shift()
    this.leftOut.count('depthUpdate without a depth snapshot')
  }

  private levels({ bids, asks }: { bids: unknown; asks: unknown }, changes: boolean): BookData {
    return { bids: this.side(bids, -1, changes), asks: this.side(asks, 1, changes) }
  }

  private side(levels: unknown, direction: 1 | -1, changes: boolean): Level[] {
    if (!Array.isArray(levels)) throw new UserError('has a side of the book that is no list')
    return levels
      .map((level: unknown): Level => {
        if (!Array.isArray(level)) throw new UserError('has a level that is not [price, size]')
        const px = this.numbers.px(this.stream.coin, level[0])
        const sz = this.stream.size(level[1], px)
        return [px, sz, sz === '0' ? 0 : 1]
      })
      .filter(([, sz]) => changes || sz !== '0')
      .sort(([a], [b]) => direction * (Number(a) - Number(b)))
  }
}

/** Whether an update is the next one. Ids of futures count over all symbols. */
function follows(data: UnknownRecord, state: Exclude<ChainState, { name: 'waiting' }>): boolean {
  if (typeof data.pu === 'number')
    return state.name === 'fresh' ? data.pu <= state.snapshotId : data.pu === state.lastId
  return updateId(data, 'U') <= reachedId(state) + 1
}

const chainText = ({ pu, U }: UnknownRecord): string =>
  typeof pu === 'number' ? `pu is ${pu}` : `U is ${U}`

function reachedId(state: Exclude<ChainState, { name: 'waiting' }>): number {
  return state.name === 'fresh' ? state.snapshotId : state.lastId
}

function updateId(data: UnknownRecord, name: string): number {
  const id = data[name]
  if (typeof id === 'number') return id
  throw new UserError(`has no ${name}, the number of a change of the book`)
}

/** Breaks in a collector's connection: each becomes a `gap` before the next events. */
export class ReconnectGaps {
  private fromMs: number | null = null

  /** Begins a gap at a moment; of several breaks in a row the first counts. */
  begin(fromMs: number): void {
    if (fromMs > 0) this.fromMs ??= fromMs
  }

  /** The events, preceded by the gap that ends with them. */
  before(drafts: EventDraft[]): EventDraft[] {
    const first = drafts[0]
    if (this.fromMs === null || first === undefined) return drafts
    const time = Math.max(first.time, this.fromMs)
    const data = { fromMs: this.fromMs, why: 'the collector was not connected' }
    this.fromMs = null
    return [{ time, kind: 'gap', coin: '', data }, ...drafts]
  }
}

/**
 * A spot exchange's raw stream: books are chained by `U` and `u` alone, snapshots and best prices
 * have no time. `BTCUSDT` is the pair `BTC/USDT`.
 *
 * @see https://developers.binance.com/docs/binance-spot-api-docs/web-socket-streams
 */
export const spot: Importer = {
  name: 'spot',
  order: 'sequence',
  container: 'lines',
  recognises: (sample) => rawMarketOf(sample) === 'spot',
  createReader: (options) => new RawStreamReader(SPOT, options),
}

const SPOT = { split: splitPair, contract: () => null }

/**
 * A futures exchange's raw stream of contracts in dollars: sizes are in coins, books are chained by
 * `pu`.
 *
 * @see https://developers.binance.com/docs/derivatives/usds-margined-futures
 */
export const usdm: Importer = {
  name: 'usdm',
  order: 'sequence',
  container: 'lines',
  recognises: (sample) => rawMarketOf(sample) === 'usdm',
  createReader: (options) => new RawStreamReader(USD_MARGINED, options),
}

const USD_MARGINED = {
  split: splitSymbol,
  contract: contractOf,
}

/**
 * A futures exchange's raw stream of contracts that are settled in coins: sizes are contracts of a
 * fixed number of dollars, 100 for BTC and 10 for others, and become coins at their price.
 *
 * @see https://developers.binance.com/docs/derivatives/coin-margined-futures
 */
export const coinm: Importer = {
  name: 'coinm',
  order: 'sequence',
  container: 'lines',
  recognises: (sample) => rawMarketOf(sample) === 'coinm',
  createReader: (options) => new RawStreamReader(COIN_MARGINED, options),
}

const COIN_MARGINED = {
  split: splitSymbol,
  contract: (options: ImportOptions, symbol: string, coin: string): ContractSize =>
    contractOf(options, symbol, coin) ?? { size: coin.startsWith('BTC') ? '100' : '10', of: 'usd' },
}
