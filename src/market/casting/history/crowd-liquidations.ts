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
import { type ForcedClosing, forcedClosings } from '../../bars/liquidations.ts'
import { BAR_MS, type BarColumns, barAt, priceIn } from '../../bars/past-bars.ts'
import { nearestPrice } from '../../schema/price-step.ts'
import type { InstrumentRow } from '../../schema/schema.ts'
import { CROWD } from '../../schema/trader-rows.ts'
import { afterClosing, FORCED_LEVERAGE, forcedPosition } from '../matching/forced-entry.ts'
import { CrowdLiquidationNumbers } from '../matching/order-manager.ts'
import { logUniform } from '../random-values.ts'
import type { TableRow } from '../writing/row-sink.ts'
import type { MarketPast } from './past.ts'

/** Input of the crowd's liquidations. */
export interface CrowdLiquidationOrder {
  table: 'liquidation'
  seed: string
  historyStartMs: number
  /** Minutes of the bars that may have liquidations. */
  minutes: number
  markets: readonly { row: InstrumentRow; lot: number; usdPerSecond: number; bars: BarColumns }[]
}
type Market = CrowdLiquidationOrder['markets'][number]

/** Liquidations' share of the turnover. */
const TURNOVER_SHARE = 0.004
/** Rate per calm hour at a turnover of a thousand dollars a second. */
const PER_HOUR = 1.6
const PER_HOUR_MAX = 6
/** Largest share of its minute's taker volume that a liquidation may be. */
const MINUTE_SHARE = 0.6
/** Positions from this value on are first liquidated by a fifth. */
const PARTIAL_FROM_USD = 100_000e6
/** Decay of the variance's mean, per minute. */
const FORGETTING = 1 / 240
const LATELY = 0.25

/** Inputs of the crowd's liquidations, one for each perpetual among the pasts. */
export function crowdLiquidations(
  pasts: readonly MarketPast[],
  times: Omit<CrowdLiquidationOrder, 'markets' | 'table'>,
): CrowdLiquidationOrder {
  const perps = pasts.filter(({ market }) => market.isPerp)
  const markets = perps.map(({ bars, market: { row, survey } }) => {
    return { row, lot: raw(survey.lot), usdPerSecond: survey.usdPerSecond, bars }
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
    const perHour = Math.min(PER_HOUR_MAX, PER_HOUR * (market.usdPerSecond / 1e9) ** 0.4)
    const { returns, sigma } = movesOf(market.bars)
    const closings = forcedClosings(returns, sigma, perHour, own)
    const total = closings.reduce((sum, { size }) => sum + size, 0)
    const least = (TURNOVER_SHARE * turnoverUsd(market)) / Math.max(total, 1)
    for (const closing of closings) {
      if (closing.minute >= order.minutes) continue
      const timeMs = order.historyStartMs + closing.minute * BAR_MS + own.between(0, BAR_MS - 1)
      const row = liquidationRow(market, closing, timeMs, least, own)
      if (row) yield { ...row, ...numbers.next(timeMs) }
    }
  }
}

function liquidationRow(
  market: Market,
  closing: ForcedClosing,
  timeMs: number,
  leastUsd: number,
  random: RandomSource,
) {
  const drawn = {
    leverage: logUniform(random, FORCED_LEVERAGE.least, FORCED_LEVERAGE.most),
    share: random.unit(),
    isWhole: random.chance(0.5),
  }
  const of = { ...closing, timeMs, usd: closing.size * leastUsd, ...drawn }
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

function sideRow({ row, lot, bars }: Market, of: DrawnLiquidation, direction: 'long' | 'short') {
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
  const position = forcedPosition(row, { markPx, held, leverage, share }, bars, minute)
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

/** Returns of the minutes, and each minute's recent deviation. */
function movesOf({ open, close }: BarColumns): { returns: Float64Array; sigma: Float64Array } {
  const [returns, sigma] = [new Float64Array(open.length), new Float64Array(open.length)]
  let sum = 0
  for (let at = 0; at < returns.length; at++) {
    const move = Math.log((close[at] as number) / (open[at] as number))
    returns[at] = move
    sum += move * move
  }
  const mean = sum / Math.max(returns.length, 1)
  let variance = mean
  for (let at = 0; at < returns.length; at++) {
    // The highest leverage was liquidated by the moves of weeks, whatever came recently.
    sigma[at] = Math.sqrt(LATELY * variance + (1 - LATELY) * mean)
    const move = returns[at] as number
    variance += (Math.min(move * move, 25 * variance) - variance) * FORGETTING
  }
  return { returns, sigma }
}

/** Turnover of all minutes, micro-dollars. */
function turnoverUsd({ row, bars: { close, bought, sold } }: Market): number {
  let sum = 0
  for (let at = 0; at < close.length; at++)
    sum += (close[at] as number) * ((bought[at] as number) + (sold[at] as number))
  return sum * unitUsd(row)
}
