import {
  add,
  lesser,
  negate,
  type Px,
  px as price,
  raw,
  type Sz,
  sz as size,
  ZERO,
} from '../../../decimal/quantity.ts'
import { type RandomSource, randomSource } from '../../../random/random-source.ts'
import { notionalOf } from '../../accounting/position.ts'
import {
  type ForcedClosing,
  type ForcedMinutes,
  forcedClosings,
  leastLiquidation,
} from '../../bars/liquidations.ts'
import { BAR_MS, type BarColumns, barAt, priceIn } from '../../bars/past-bars.ts'
import { nearestPrice } from '../../schema/price-step.ts'
import type { InstrumentRow } from '../../schema/schema.ts'
import { CROWD } from '../../schema/trader-rows.ts'
import { logUniform } from '../../synth/distributions.ts'
import {
  afterClosing,
  FORCED_LEVERAGE,
  forcedPosition,
  PriceRanges,
} from '../matching/forced-entry.ts'
import { CrowdLiquidationNumbers } from '../matching/order-manager.ts'
import type { TableRow } from '../writing/row-sink.ts'
import type { MarketPast } from './past.ts'
import { usualOpenInterest } from './past-rows.ts'

/** Input of the crowd's liquidations. */
export interface CrowdLiquidationOrder {
  table: 'liquidation'
  seed: string
  historyStartMs: number
  /** Minutes of the bars that may have liquidations. */
  minutes: number
  markets: readonly {
    row: InstrumentRow
    lot: number
    usdPerSecond: number
    bars: BarColumns
    /** Open interest: at the end, size units, and of each minute, relative to that. */
    held: number
    interest: Float64Array
  }[]
}
type Market = CrowdLiquidationOrder['markets'][number]
type PricedMarket = Market & { ranges: PriceRanges }

/** Largest share of its minute's taker volume that a liquidation may be. */
const MINUTE_SHARE = 0.6
/** Positions from this value on are first liquidated by a fifth. */
const PARTIAL_FROM_USD = 100_000e6

/** Inputs of the crowd's liquidations, one for each perpetual among the pasts. */
export function crowdLiquidations(
  pasts: readonly MarketPast[],
  times: Omit<CrowdLiquidationOrder, 'markets' | 'table'>,
): CrowdLiquidationOrder {
  const perps = pasts.filter(({ market }) => market.isPerp)
  const markets = perps.map(({ bars, interest, market }) => {
    const { row, survey } = market
    const held = raw(survey.interest ?? usualOpenInterest(market))
    const { usdPerSecond } = survey
    return { row, lot: raw(survey.lot), usdPerSecond, bars, held, interest }
  })
  return { table: 'liquidation', ...times, markets }
}

/** Liquidations of accounts that are never listed; their trades are part of the bars. */
export function* crowdLiquidationRows(
  order: CrowdLiquidationOrder,
): Generator<TableRow<'liquidation'>> {
  const numbers = new CrowdLiquidationNumbers(order.historyStartMs)
  for (const market of order.markets) {
    const own = randomSource(order.seed, `liquidations of ${market.row.coin}`)
    const priced = { ...market, ranges: new PriceRanges(market.bars.low, market.bars.high) }
    for (const closing of forcedClosings(minutesOf(market), own)) {
      if (closing.minute >= order.minutes) continue
      const timeMs = order.historyStartMs + closing.minute * BAR_MS + own.between(0, BAR_MS - 1)
      const row = liquidationRow(priced, closing, timeMs, own)
      if (row) yield { ...row, ...numbers.next(timeMs) }
    }
  }
}

function liquidationRow(
  market: PricedMarket,
  closing: ForcedClosing,
  timeMs: number,
  random: RandomSource,
) {
  const drawn = {
    leverage: logUniform(random, FORCED_LEVERAGE.least, FORCED_LEVERAGE.most),
    share: random.unit(),
    isWhole: random.chance(0.5),
  }
  const of = { ...closing, timeMs, usd: closing.usd * 1e6, ...drawn }
  const other = closing.position === 'long' ? 'short' : 'long'
  // Where the price was never better for one side, only the other can have lost.
  return sideRow(market, of, closing.position) ?? sideRow(market, of, other)
}

/** A liquidation of a minute before its price is known. */
interface DrawnLiquidation {
  minute: number
  timeMs: number
  /** Approximate value, micro-dollars. */
  usd: number
  leverage: number
  share: number
  /** Liquidates even a large position at once. */
  isWhole: boolean
}

function sideRow(
  { row, lot, bars, ranges }: PricedMarket,
  of: DrawnLiquidation,
  direction: 'long' | 'short',
) {
  const { minute, timeMs, usd, leverage, share, isWhole } = of
  const long = direction === 'long'
  const markPx = nearestPrice(row, priceIn(barAt(bars, minute), timeMs % BAR_MS))
  const flow = ((long ? bars.sold : bars.bought)[minute] ?? 0) * MINUTE_SHARE
  const most = size(Math.floor(flow / lot) * lot)
  const sz = lesser(sizeFor({ row, lot }, markPx, usd), most)
  if (sz <= ZERO) return null
  const notional = notionalOf(markPx, sz, row)
  const isPartial = raw(notional) > PARTIAL_FROM_USD && !isWhole
  const left: Sz = isPartial ? size(raw(sz) * 4) : ZERO
  const signed = (amount: Sz) => (long ? amount : negate(amount))
  const held = signed(add(sz, left))
  const position = forcedPosition(row, { markPx, held, leverage, share }, ranges, minute)
  if (position === null) return null
  return {
    instrument: row.id,
    timeMs,
    trader: CROWD,
    direction,
    sz,
    markPx,
    liquidationPx: price(Math.round(raw(markPx) * (long ? 1.0002 : 0.9998))),
    notional,
    closedPnl: afterClosing(position, sz, notional).closedPnl,
    startPosition: held,
    positionAfter: signed(left),
  }
}

const unitUsd = ({ pxDecimals, szDecimals }: InstrumentRow) => 10 ** (6 - pxDecimals - szDecimals)

function sizeFor({ row, lot }: Pick<Market, 'row' | 'lot'>, px: Px, usd: number): Sz {
  return size(Math.max(1, Math.round(usd / (raw(px) * unitUsd(row)) / lot)) * lot)
}

/**
 * An open interest is at most so many of the smallest positions: a tape may report much of it and
 * hardly any trades, by which positions are sized. Usual markets have up to a quarter million.
 */
const POSITIONS_MOST = 2e6

/** The minutes of an instrument as its crowd sees them. */
function minutesOf({ row, usdPerSecond, bars, held, interest }: Market): ForcedMinutes {
  const { low, high, close, bought, sold } = bars
  const value = held * unitUsd(row) * 1e-6
  const leastUsd = (value * (close.at(-1) ?? 0)) / POSITIONS_MOST
  return {
    low,
    high,
    close,
    size: (minute) => (bought[minute] as number) + (sold[minute] as number),
    interestUsd: (minute) => value * (interest[minute] as number) * (close[minute] as number),
    maxLeverage: row.maxLeverage,
    leastUsd: Math.max(leastUsd, leastLiquidation(usdPerSecond * 1e-6)),
  }
}
