/** Trades of an instrument as columns, rising by time. */
import { type TapeMs, tapeMs } from '../../clock/instant.ts'
import { px, raw, sz, usd } from '../../decimal/quantity.ts'
import { lastUpTo } from '../binary-search.ts'
import { trade } from '../schema.ts'
import type { World } from '../world.ts'
import { columns, type Reader, type RowOf } from './columns.ts'
import type { LastTrade } from './minute-bars.ts'
import type { TradeTally } from './trade-tally.ts'

/** Price units, size units, micro-dollars. */
export interface TradeColumns {
  timesMs: Float64Array
  prices: Float64Array
  sizes: Float64Array
  notionals: Float64Array
  /** 1 where the taker bought. */
  buys: Uint8Array
}

const ROWS = columns({
  timeMs: trade.timeMs,
  px: trade.px,
  sz: trade.sz,
  notional: trade.notional,
  side: trade.side,
})
type Row = RowOf<typeof ROWS>
type Span = [instrument: number, fromMs: TapeMs, toMs: TapeMs]

/** Reads the trades with fromMs <= time < toMs; a span of them at a time, which may be joined. */
export function tradeRowReader({ db }: World): Reader<Row, Span> {
  return ROWS.prepare(
    db,
    'from trade where instrument = ? and timeMs >= ? and timeMs < ? order by timeMs, id',
  )
}

export const tradeColumns = (rows: readonly Row[]): TradeColumns => ({
  timesMs: Float64Array.from(rows, ({ timeMs }) => timeMs),
  prices: Float64Array.from(rows, ({ px }) => raw(px)),
  sizes: Float64Array.from(rows, ({ sz }) => raw(sz)),
  notionals: Float64Array.from(rows, ({ notional }) => raw(notional)),
  buys: Uint8Array.from(rows, ({ side }) => (side === 'B' ? 1 : 0)),
})

/** Trades up to a place, and those that come right after. */
export function joinedTrades(one: TradeColumns, end: number, other: TradeColumns): TradeColumns {
  const joined = <T extends Float64Array | Uint8Array>(of: (trades: TradeColumns) => T): T => {
    const all = new (of(one).constructor as new (length: number) => T)(end + of(other).length)
    all.set(of(one).subarray(0, end))
    all.set(of(other), end)
    return all
  }
  return {
    timesMs: joined(({ timesMs }) => timesMs),
    prices: joined(({ prices }) => prices),
    sizes: joined(({ sizes }) => sizes),
    notionals: joined(({ notionals }) => notionals),
    buys: joined(({ buys }) => buys),
  }
}

/** How many trades came before an instant. */
export const countBefore = ({ timesMs }: TradeColumns, beforeMs: number): number =>
  lastUpTo(timesMs, beforeMs - 1) + 1

/** The last one before an instant. */
export function lastTrade(trades: TradeColumns, beforeMs: number): LastTrade | null {
  const at = countBefore(trades, beforeMs) - 1
  if (at < 0) return null
  return { timeMs: tapeMs(trades.timesMs[at] as number), px: px(trades.prices[at] as number) }
}

/** Adds trades from one place to another; those `within` bars only stretch a tally's prices. */
export function addTrades(
  tally: TradeTally,
  { prices, sizes, notionals, buys }: TradeColumns,
  from: number,
  to: number,
  within: boolean,
): void {
  for (let at = from; at < to; at++) {
    const [price, size] = [px(prices[at] as number), sz(sizes[at] as number)]
    const notional = usd(notionals[at] as number)
    const isBuy = buys[at] === 1
    if (within) tally.addWithin(price, size, notional, isBuy)
    else tally.add(price, size, notional, isBuy)
  }
}
