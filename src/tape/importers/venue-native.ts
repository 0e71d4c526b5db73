import { UserError } from '../../user-error.ts'
import type { EventDraft, Instrument, Level, LiquidationData, TradeData } from '../tape-event.ts'
import type { UnknownRecord } from '../unknown-record.ts'
import { DecimalReader } from './decimal-reader.ts'
import type { Importer, RecordingReader } from './importer.ts'
import { guessInstrument } from './instrument-guess.ts'
import { LeftOut } from './left-out.ts'
import { readEnvelope } from './line-envelope.ts'
import { ReconnectGaps } from './reconnect-gaps.ts'
import { SeenTradeIds } from './seen-trade-ids.ts'

/**
 * The perpetual venue's own socket frames: `{"channel": …, "data": …}`.
 *
 * `l2Book`, `trades`, `bbo` and `activeAssetCtx` become events; the rest is counted and left out.
 * On every subscription the venue repeats the last trades, so a tid comes into the tape only once.
 */
export const venueNative: Importer = {
  name: 'venue-native',
  order: 'sequence',
  recognises: ({ container, frame }) => container === 'lines' && typeof frame?.channel === 'string',
  createReader: () => new VenueFrameReader(),
}

/** Also of what the venue's archive wraps its frames in. */
export class VenueFrameReader implements RecordingReader {
  readonly leftOut = new LeftOut()
  private readonly decimals = new DecimalReader(false)
  private readonly tids = new SeenTradeIds()
  private readonly coins = new Set<string>()
  private latestMs = 0
  private readonly gaps = new ReconnectGaps()

  record(line: string): EventDraft[] {
    const { frame, localMs, isGap } = readEnvelope(line)
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
    return [...this.coins].map((coin) =>
      guessInstrument(coin, 'USDC', this.decimals.decimals(coin)),
    )
  }

  private book(data: UnknownRecord): EventDraft {
    const coin = this.coin(data)
    const [bids, asks] = list(data.levels).map((side) =>
      list(side).map((level) => this.level(coin, object(level))),
    )
    if (!bids || !asks) throw new UserError('has an l2Book without its two sides')
    return { time: this.time(data), kind: 'book', coin, data: { bids, asks } }
  }

  private bbo(data: UnknownRecord): EventDraft {
    const coin = this.coin(data)
    const [bid = null, ask = null] = list(data.bbo).map((level) =>
      level === null ? null : this.level(coin, object(level)),
    )
    return { time: this.time(data), kind: 'bbo', coin, data: { bid, ask } }
  }

  private trades(told: readonly unknown[]): EventDraft[] {
    const drafts: EventDraft[] = []
    for (const trade of told) {
      const draft = this.trade(object(trade))
      if (draft) drafts.push(draft)
    }
    return drafts
  }

  private trade(data: UnknownRecord): EventDraft | null {
    const coin = this.coin(data)
    const { side, tid, hash, users } = data
    if (side !== 'A' && side !== 'B') throw new UserError('has a trade without side "A" or "B"')
    // The archive's trades have none, and none of them comes twice.
    if (typeof tid !== 'number' && tid !== null) throw new UserError('has a trade without its tid')
    if (tid !== null && this.tids.hasSeen(coin, tid)) {
      this.leftOut.count('trade that was there already (same tid)')
      return null
    }
    const trade: TradeData = {
      side,
      px: this.decimals.px(coin, data.px),
      sz: this.decimals.sz(coin, data.sz),
    }
    if (tid !== null) trade.tid = tid
    if (typeof hash === 'string') trade.hash = hash
    if (Array.isArray(users) && users.length === 2) trade.users = pair(users)
    return { time: this.time(data), kind: 'trade', coin, data: trade }
  }

  /** A liquidation that the archive tells, with its numbers as a tape has them. */
  liquidation({ position, sz, markPx, tids }: UnknownRecord): LiquidationData {
    if (position !== 'long' && position !== 'short') throw new UserError('has no position closed')
    if (!Array.isArray(tids)) throw new UserError('has a liquidation without its trades')
    const [size, mark] = [this.decimals.decimal(sz), this.decimals.decimal(markPx)]
    return { position, sz: size, markPx: mark, tids }
  }

  /** These frames carry no time of their own: they get that of the frame before. */
  private context(data: UnknownRecord, localMs: number | null): EventDraft[] {
    const coin = this.coin(data)
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

  private level(coin: string, { px, sz, n }: UnknownRecord): Level {
    if (typeof n !== 'number') throw new UserError('has a level without its number of orders')
    return [this.decimals.px(coin, px), this.decimals.sz(coin, sz), n]
  }

  private coin({ coin }: UnknownRecord): string {
    if (typeof coin !== 'string' || coin === '') throw new UserError('names no coin')
    this.coins.add(coin)
    return coin
  }

  private time({ time }: UnknownRecord): number {
    if (typeof time !== 'number') throw new UserError('has no time in milliseconds')
    this.latestMs = Math.max(this.latestMs, time)
    return time
  }
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
