import {
  add,
  lesser,
  usd as money,
  negate,
  px as price,
  raw,
  type Sz,
  sz as size,
  ZERO,
} from '../../../decimal/quantity.ts'
import { type ForcedClosing, forcedClosings } from '../../../market/forced-closings.ts'
import { BAR_MS } from '../../../market/minute-bar.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import { notionalOf } from '../../accounting/position.ts'
import { CROWD } from '../../schema/crowd.ts'
import type { CastingContext } from '../casting-context.ts'
import type { MarketState } from '../market/market-state.ts'
import { logUniform } from '../random-values.ts'
import type { MarketPast } from './past.ts'

/** Share of the turnover that is liquidations. */
const TURNOVER_SHARE = 0.004
/** How many there are in a calm hour where a thousand dollars a second are traded. */
const PER_HOUR = 1.6
const PER_HOUR_MAX = 6
/** No liquidation is more than so much of what takers of its side traded in its minute. */
const MINUTE_SHARE = 0.6
/** The larger ones begin with a fifth of the position. */
const PARTIAL_FROM_USD = 100_000e6
/** How fast the mean of the variance forgets, by the minute. */
const FORGETTING = 1 / 240
const LATELY = 0.25

/** Writes the liquidations of accounts that nobody looks up; their trades are part of the bars. */
export function writeCrowdLiquidations(
  context: CastingContext,
  pasts: readonly MarketPast[],
  untilMs: number,
  random: RandomSource,
): void {
  for (const past of pasts) {
    const { market } = past
    if (!market.isPerp) continue
    const own = random.fork(market.row.coin)
    const perHour = liquidationsPerHour(market)
    const { returns, sigma } = movesOf(past)
    const closings = forcedClosings(returns, sigma, perHour, own)
    const minutes = (untilMs - context.historyStartMs) / BAR_MS
    const total = closings.reduce((sum, { size }) => sum + size, 0)
    const least = (TURNOVER_SHARE * turnoverUsd(past)) / Math.max(total, 1)
    for (const closing of closings)
      if (closing.minute < minutes) write(context, past, closing, least, own)
  }
}

/** How many of the crowd are liquidated in a calm hour. */
export function liquidationsPerHour({ survey }: MarketState): number {
  return Math.min(PER_HOUR_MAX, PER_HOUR * (survey.usdPerSecond / 1e9) ** 0.4)
}

function write(
  context: CastingContext,
  past: MarketPast,
  { minute, position, size: multiple }: ForcedClosing,
  leastUsd: number,
  random: RandomSource,
): void {
  const { rows, orders, historyStartMs } = context
  const { market, bars } = past
  const { row } = market
  const timeMs = historyStartMs + minute * BAR_MS + random.between(0, BAR_MS - 1)
  const long = position === 'long'
  const markPx = past.pxAt(timeMs)
  const flow = ((long ? bars.sold : bars.bought)[minute] ?? 0) * MINUTE_SHARE
  const lot = raw(market.survey.lot)
  const most = size(Math.floor(flow / lot) * lot)
  market.px = markPx
  const sz = lesser(market.sizeFor(multiple * leastUsd), most)
  if (sz <= ZERO) return
  const notional = notionalOf(markPx, sz, row)
  const isPartial = raw(notional) > PARTIAL_FROM_USD && random.chance(0.5)
  const left: Sz = isPartial ? size(raw(sz) * 4) : ZERO
  const signed = (amount: Sz) => (long ? amount : negate(amount))
  const leverage = Math.min(row.maxLeverage, logUniform(random, 4, 40))
  rows.add('liquidation', {
    id: context.liquidationId(),
    instrument: row.id,
    timeMs,
    trader: CROWD,
    direction: position,
    sz,
    markPx,
    liquidationPx: price(Math.round(raw(markPx) * (long ? 1.0002 : 0.9998))),
    notional,
    closedPnl: money(-Math.round((raw(notional) * (0.75 + 0.3 * random.unit())) / leverage)),
    startPosition: signed(add(sz, left)),
    positionAfter: signed(left),
    oid: orders.crowdOid(timeMs),
  })
}

/** Returns of the minutes, and what a minute's deviation had been lately. */
function movesOf({ bars }: MarketPast): { returns: Float64Array; sigma: Float64Array } {
  const { open, close } = bars
  const returns = close.map((px, at) => Math.log(px / (open[at] as number)))
  const mean = returns.reduce((sum, move) => sum + move ** 2, 0) / Math.max(returns.length, 1)
  let variance = mean
  const sigma = returns.map((move) => {
    // Who borrows most has been liquidated by what was usual over weeks, whatever was lately.
    const expected = Math.sqrt(LATELY * variance + (1 - LATELY) * mean)
    variance += (Math.min(move ** 2, 25 * variance) - variance) * FORGETTING
    return expected
  })
  return { returns, sigma }
}

/** What was traded in all the minutes, micro-dollars. */
function turnoverUsd({ market, bars }: MarketPast): number {
  const { row } = market
  const unit = 10 ** (6 - row.pxDecimals - row.szDecimals)
  return bars.close.reduce(
    (sum, px, at) => sum + px * ((bars.bought[at] as number) + (bars.sold[at] as number)) * unit,
    0,
  )
}
