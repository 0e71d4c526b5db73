import { UserError } from '../../platform/user-error.ts'
import type { UnknownRecord } from '../recorded-data.ts'
import type { EventDraft, Instrument, Level, LiquidationData, TradeData } from '../tape-event.ts'
import { LeftOut } from './bad-rows.ts'
import { frameTimeMs } from './csv-cells.ts'
import { type CoinDecimals, DecimalReader } from './decimal-reader.ts'
import type { Importer, RecordingReader } from './importer.ts'
import { guessInstrument } from './market-symbol.ts'
import { ReconnectGaps } from './raw-stream.ts'
import type { RecordedLine } from './recorded-line.ts'
import { GREETED, readEnvelope } from './recorded-line.ts'
import { REPEATED, type SeenTradeIds, SeenTrades } from './trade-ids.ts'

/**
 * The perpetual venue's own socket frames: `{"channel": …, "data": …}`.
 *
 * `l2Book`, `trades`, `bbo` and `activeAssetCtx` become events; the rest is counted and skipped. On
 * every subscription the venue repeats the last trades, so each tid is taken only once.
 */
export const venueNative: Importer = {
  name: 'venue-native',
  order: 'sequence',
  container: 'lines',
  recognises: ({ container, frame }) =>
    container === 'lines' && CHANNEL.test(String(frame?.channel ?? '')),
  createReader: ({ trades }) => new VenueFrameReader(trades),
}

/** Channels of the venue. Other exchanges have a `channel` too: `trade`, `book`, `status`. */
const CHANNEL = new RegExp(
  `^(?:${[
    ...['l2Book', 'trades', 'bbo', 'candle', 'allMids', 'pong', 'post', 'error', 'notification'],
    ...['subscriptionResponse', 'spotState', 'twapStates', 'orderUpdates', 'openOrders'],
    ...['outcomeMetaUpdates', 'activeAssetData', 'user\\w*', 'webData\\d', '\\w*AssetCtxs?'],
    ...['assetCtxs', '\\w*[cC]learinghouseState'],
  ].join('|')})$`,
)

/** Also reads the frames that the venue's archive wraps. */
export class VenueFrameReader implements RecordingReader {
  readonly leftOut = new LeftOut()
  private readonly decimals = new DecimalReader(false, this.leftOut)
  private readonly coins = new Map<string, SeenCoin>()
  private latestMs = 0
  private readonly gaps = new ReconnectGaps()

  constructor(private readonly seen = new SeenTrades()) {}

  record(line: RecordedLine): EventDraft[] {
    const { frame, localMs, isGap, isGreeting } = readEnvelope(line)
    if (isGreeting) {
      this.leftOut.count(GREETED)
      return []
    }
    if (!isGap) return this.gaps.before(this.frame(frame, localMs))
    this.gaps.begin(this.latestMs)
    return []
  }

  frame({ channel, data }: UnknownRecord, localMs: number | null): EventDraft[] {
    if (channel === 'l2Book') return [this.book(object(data))]
    if (channel === 'bbo') return [this.bbo(object(data))]
    if (channel === 'activeAssetCtx') return this.context(object(data), localMs)
    if (channel === 'trades') return this.trades(list(data))
    this.leftOut.count(`frame of channel ${String(channel)}`)
    return []
  }

  end(): EventDraft[] {
    return []
  }

  instruments(): Instrument[] {
    return [...this.coins.values()].map(({ coin, decimals }) =>
      guessInstrument(coin, 'USDC', decimals.decimals()),
    )
  }

  private book(data: UnknownRecord): EventDraft {
    const { coin, decimals } = this.coin(data)
    const [bids, asks] = list(data.levels).map((side) =>
      list(side).map((level) => levelOf(decimals, object(level))),
    )
    if (!bids || !asks) throw new UserError('has an l2Book without its two sides')
    return { time: this.time(data), kind: 'book', coin, data: { bids, asks } }
  }

  private bbo(data: UnknownRecord): EventDraft {
    const { coin, decimals } = this.coin(data)
    const [bid = null, ask = null] = list(data.bbo).map((level) =>
      level === null ? null : levelOf(decimals, object(level)),
    )
    return { time: this.time(data), kind: 'bbo', coin, data: { bid, ask } }
  }

  private trades(reported: readonly unknown[]): EventDraft[] {
    const drafts: EventDraft[] = []
    for (let i = 0; i < reported.length; i++) {
      const draft = this.trade(object(reported[i]))
      if (draft) drafts.push(draft)
    }
    return drafts
  }

  private trade(data: UnknownRecord): EventDraft | null {
    const { coin, decimals, tids } = this.coin(data)
    const { side, tid, hash, users } = data
    if (side !== 'A' && side !== 'B') throw new UserError('has a trade without side "A" or "B"')
    // The archive's trades have none, and never repeat.
    if (typeof tid !== 'number' && tid !== null) throw new UserError('has a trade without its tid')
    if (tid !== null && tids.hasSeen(tid)) {
      this.leftOut.count(REPEATED)
      return null
    }
    const px = decimals.px(data.px)
    const sz = decimals.sz(data.sz)
    const trade: TradeData = tid === null ? { side, px, sz } : { side, px, sz, tid }
    if (typeof hash === 'string') trade.hash = hash
    if (Array.isArray(users) && users.length === 2) trade.users = pair(users)
    return { time: this.time(data), kind: 'trade', coin, data: trade }
  }

  /** An archived liquidation, with a tape's numbers. */
  liquidation({ position, sz, markPx, tids }: UnknownRecord): LiquidationData {
    if (position !== 'long' && position !== 'short') throw new UserError('has no position closed')
    if (!Array.isArray(tids)) throw new UserError('has a liquidation without its trades')
    const [size, mark] = [this.decimals.decimal(sz), this.decimals.decimal(markPx)]
    return { position, sz: size, markPx: mark, tids }
  }

  /** These frames have no time: they get that of the frame before. */
  private context(data: UnknownRecord, localMs: number | null): EventDraft[] {
    const { coin } = this.coin(data)
    const time = this.latestMs || localMs
    if (time === null) throw new UserError('has no time, nor has its line a clock')
    const { funding, premium, openInterest, markPx, oraclePx } = object(data.ctx)
    const number = (value: unknown) => this.decimals.decimal(value, true)
    const drafts: EventDraft[] = []
    if (funding !== undefined) {
      const known = premium == null ? {} : { premium: number(premium) }
      drafts.push({ time, kind: 'funding', coin, data: { rate: number(funding), ...known } })
    }
    if (markPx !== undefined && oraclePx !== undefined) {
      const marks = { mark: number(markPx), oracle: number(oraclePx) }
      drafts.push({ time, kind: 'mark', coin, data: marks })
    }
    if (openInterest !== undefined)
      drafts.push({ time, kind: 'interest', coin, data: { openInterest: number(openInterest) } })
    if (drafts.length === 0)
      this.leftOut.count('activeAssetCtx without funding, mark or open interest')
    return drafts
  }

  private coin({ coin }: UnknownRecord): SeenCoin {
    if (typeof coin !== 'string' || coin === '') throw new UserError('names no coin')
    let seen = this.coins.get(coin)
    if (seen === undefined) {
      seen = { coin, decimals: this.decimals.of(coin), tids: this.seen.of(coin) }
      this.coins.set(coin, seen)
    }
    return seen
  }

  private time({ time }: UnknownRecord): number {
    if (typeof time !== 'number') throw new UserError('has no time in milliseconds')
    const timeMs = frameTimeMs(time)
    this.latestMs = Math.max(this.latestMs, timeMs)
    return timeMs
  }
}

/** A coin named in frames. */
interface SeenCoin {
  coin: string
  decimals: CoinDecimals
  tids: SeenTradeIds
}

function levelOf(decimals: CoinDecimals, { px, sz, n }: UnknownRecord): Level {
  if (typeof n !== 'number') throw new UserError('has a level without its number of orders')
  return [decimals.px(px), decimals.sz(sz), n]
}

function object(value: unknown): UnknownRecord {
  if (typeof value === 'object' && value !== null) return value as UnknownRecord
  throw new UserError(`has ${JSON.stringify(value)} where an object belongs`)
}

function list(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  throw new UserError(`has ${JSON.stringify(value)} where a list belongs`)
}

function pair(users: unknown[]): [string, string] {
  return [String(users[0]), String(users[1])]
}
