import { UserError } from '../../user-error.ts'
import type { EventDraft, Instrument } from '../tape-event.ts'
import type { UnknownRecord } from '../unknown-record.ts'
import { coinSize } from './contract-size.ts'
import { DecimalReader } from './decimal-reader.ts'
import { DepthChain } from './depth-chain.ts'
import { hourlyRate } from './hourly-rate.ts'
import type { ContractSize, ImportOptions, RecordingReader } from './importer.ts'
import { guessInstrument } from './instrument-guess.ts'
import { LeftOut } from './left-out.ts'
import { readEnvelope } from './line-envelope.ts'
import type { Market } from './market-symbol.ts'
import { rawDataOf, rawEventOf } from './raw-market.ts'
import { ReconnectGaps } from './reconnect-gaps.ts'
import type { RecordedLine } from './recorded-line.ts'
import { frameTimeMs } from './time-text.ts'

/** What one market of an exchange has of its own. */
export interface RawMarket {
  /** The coin and the quote that a symbol names. */
  split(symbol: string): Market
  /** What a contract is worth; null where sizes are in coins. */
  contract(options: ImportOptions, symbol: string, coin: string): ContractSize | null
}

interface Stream {
  market: Market
  contract: ContractSize | null
  chain: DepthChain
  /** `trade` or `aggTrade`, whichever came first: both tell the same trades. */
  trades: string | null
}

/**
 * An exchange's raw stream: `{"stream": …, "data": {"e": …}}`, with or without the wrapping, and
 * depth snapshots, in the lines of a collector.
 *
 * `depthUpdate`, `trade` or `aggTrade`, `bookTicker`, `markPriceUpdate` and snapshots become
 * events, the rest is counted and left out. Times are the matching engine's (`T`); a frame
 * without one has that of the frame before. The source has no number of orders, so it is 1.
 */
export class RawStreamReader implements RecordingReader {
  readonly leftOut = new LeftOut()
  private readonly decimals = new DecimalReader(true)
  private readonly streams = new Map<string, Stream>()
  /** A snapshot that came before any frame that names a symbol. */
  private earlyFrame: UnknownRecord | null = null
  private latestMs = 0
  private readonly gaps = new ReconnectGaps()

  constructor(
    private readonly market: RawMarket,
    private readonly options: ImportOptions,
  ) {}

  record(line: RecordedLine): EventDraft[] {
    const { frame, localMs, isGap } = readEnvelope(line)
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

  /** The exchange's answer to a depth request does not name its symbol. */
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

  /** The snapshot that waited for a symbol has found one. */
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
      this.leftOut.count(`${event}, which ${stream.trades} tells too`)
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
    // An empty rate is that of a future which is not perpetual.
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

  /** The matching engine's time, or else that of sending, or else of the frame before. */
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
