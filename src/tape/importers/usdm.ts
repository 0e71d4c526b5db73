import { UserError } from '../../user-error.ts'
import type { EventDraft, Instrument } from '../tape-event.ts'
import type { UnknownRecord } from '../unknown-record.ts'
import { DecimalReader } from './decimal-reader.ts'
import { DepthChain, engineTime } from './depth-chain.ts'
import { splitSymbol } from './futures-symbol.ts'
import type { Importer, ImportOptions, RecordingReader } from './importer.ts'
import { guessInstrument } from './instrument-guess.ts'

/**
 * A futures exchange's raw stream: `{"stream": …, "data": {"e": …}}` and depth snapshots.
 *
 * `depthUpdate`, `trade`, `bookTicker` and snapshots become events, the rest is counted and left
 * out. Times are the matching engine's (`T`). The source has no number of orders, so it
 * is 1.
 */
export const usdm: Importer = {
  name: 'usdm',
  recognises: (frame) =>
    typeof frame.stream === 'string' ||
    typeof frame.lastUpdateId === 'number' ||
    typeof frame.e === 'string',
  createReader: (options) => new UsdmReading(options),
}

class UsdmReading implements RecordingReader {
  readonly leftOut = new Map<string, number>()
  private readonly decimals = new DecimalReader(true)
  private readonly chains = new Map<string, DepthChain>()
  /** A snapshot that came before any frame that names a symbol. */
  private earlyFrame: UnknownRecord | null = null

  constructor(private readonly options: ImportOptions) {}

  frame(frame: UnknownRecord): EventDraft[] {
    const data = (frame.data ?? frame) as UnknownRecord
    if (typeof data.lastUpdateId === 'number') return this.snapshot(data)
    if (typeof data.e !== 'string' || typeof data.s !== 'string') {
      this.leaveOut('frame without an event and a symbol')
      return []
    }
    return [...this.adoptEarly(data.s), ...this.events(data, data.s)]
  }

  end(): EventDraft[] {
    if (this.earlyFrame) this.leaveOut('depth snapshot whose symbol no frame names')
    for (const chain of this.chains.values()) chain.end()
    return []
  }

  instruments(): Instrument[] {
    return [...this.chains.keys()].map((symbol) => {
      const { coin, quote } = splitSymbol(symbol)
      return guessInstrument(coin, quote, this.decimals.decimals(coin))
    })
  }

  /** The exchange's answer to a depth request does not name its symbol. */
  private snapshot(data: UnknownRecord): EventDraft[] {
    const named = data.symbol ?? data.s
    if (typeof named === 'string') return this.chain(named).snapshot(data)
    const [symbol, second] = this.chains.keys()
    if (second !== undefined)
      throw new UserError(
        'is a depth snapshot that names no symbol, in a recording of several; import one at a time',
      )
    if (symbol !== undefined) return this.chain(symbol).snapshot(data)
    this.earlyFrame = data
    return []
  }

  /** The snapshot that waited for a symbol has found one. */
  private adoptEarly(symbol: string): EventDraft[] {
    if (!this.earlyFrame) return []
    const snapshot = this.earlyFrame
    this.earlyFrame = null
    return this.chain(symbol).snapshot(snapshot)
  }

  private events(data: UnknownRecord, symbol: string): EventDraft[] {
    const chain = this.chain(symbol)
    if (data.e === 'depthUpdate') return chain.update(data)
    if (data.e === 'trade') return this.trade(data, chain.coin)
    if (data.e === 'bookTicker') return [this.ticker(data, chain.coin)]
    this.leaveOut(`frame of event ${data.e}`)
    return []
  }

  private trade(data: UnknownRecord, coin: string): EventDraft[] {
    const sz = this.decimals.sz(coin, data.q)
    if (sz === '0') {
      this.leaveOut(`trade of size 0 (${String(data.X)})`)
      return []
    }
    if (typeof data.m !== 'boolean') throw new UserError('has a trade without m, the maker flag')
    const px = this.decimals.px(coin, data.p)
    const tid = typeof data.t === 'number' ? { tid: data.t } : {}
    // m: the buyer was the maker, so the taker sold.
    const trade = { side: data.m ? 'A' : 'B', px, sz, ...tid } as const
    return [{ time: engineTime(data), kind: 'trade', coin, data: trade }]
  }

  private ticker(data: UnknownRecord, coin: string): EventDraft {
    const level = (px: unknown, sz: unknown) => {
      const size = this.decimals.sz(coin, sz)
      return size === '0' ? null : ([this.decimals.px(coin, px), size, 1] as const)
    }
    const best = { bid: level(data.b, data.B), ask: level(data.a, data.A) }
    return { time: engineTime(data), kind: 'bbo', coin, data: best }
  }

  private chain(symbol: string): DepthChain {
    const known = this.chains.get(symbol)
    if (known) return known
    const { coin } = splitSymbol(symbol)
    const leaveOut = (what: string) => this.leaveOut(what)
    const chain = new DepthChain(coin, this.decimals, this.options, leaveOut)
    this.chains.set(symbol, chain)
    return chain
  }

  private leaveOut(what: string): void {
    this.leftOut.set(what, (this.leftOut.get(what) ?? 0) + 1)
  }
}
