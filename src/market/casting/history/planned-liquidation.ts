import { MINUTE_MS } from '../../../clock/instant.ts'
import {
  absolute,
  add,
  type FeeRate,
  usd as money,
  negate,
  type Px,
  px as price,
  raw,
  type Sz,
  sz as size,
  subtract,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import { feeOf, fundingBetween } from '../../accounting/funding.ts'
import { maintenanceMargin, notionalOf, positionValue } from '../../accounting/position.ts'
import type { Agent } from '../agents/agents.ts'
import type { CastingContext } from '../casting-context.ts'
import type { TradePrint } from '../matching/order-manager.ts'
import type { PlannedLiquidation } from '../survey/tape-survey.ts'
import type { PricePath } from './price-path.ts'

/** Opening of a position that the tape will liquidate. */
export interface PlannedOpening {
  liquidation: PlannedLiquidation
  path: PricePath
  timeMs: number
  px: Px
}

/** Distance of the liquidation price before the mark price at which the tape liquidates. */
const MARK_DISTANCE = 0.0003
/** A valid opening price allows the position at 1.1 times the minimum margin. */
const MARGIN_FACTOR = 1.1

/**
 * Finds the opening of each position to be liquidated: as late as possible, at a price at which it
 * could be opened, and after which nothing liquidated it early.
 */
export function planOpenings(
  plannedLiquidations: readonly PlannedLiquidation[],
  paths: readonly PricePath[],
  grid: readonly number[],
  startMs: number,
  random: RandomSource,
): PlannedOpening[] {
  return plannedLiquidations.flatMap((liquidation) => {
    const path = paths.find(({ market }) => market.row.coin === liquidation.coin)
    if (!path?.market.isPerp) return []
    const latestMs = startMs - random.between(12, 300) * MINUTE_MS
    const at = openingIndex(liquidation, path, grid, latestMs)
    const timeMs = (grid[at] ?? startMs) + random.between(0, 8_000)
    const px = path.past.within(price(path.px[at] ?? raw(path.market.px)), timeMs)
    return [{ liquidation, path, timeMs, px }]
  })
}

/** Opens the position with exactly the money that puts its liquidation price at the mark price. */
export function openPlanned(
  context: CastingContext,
  { liquidation, path, timeMs, px }: PlannedOpening,
): Agent {
  const { market } = path
  const { row } = market
  const long = liquidation.direction === 'long'
  const agent = context.agents.add('liquidated')
  const holding = context.ledger.holding(agent, market)
  const { account } = holding
  Object.assign(holding, { leverage: row.maxLeverage, isolated: false })
  account.awaitsLiquidation = true
  const prints = splitSize(liquidation.sz, market.onTick(raw(px)))
  const { taker } = context.feeDays.ratesOf(agent, timeMs)
  const [cost, fees] = costAndFees(prints, taker, long, path)
  const endPx = price(
    Math.round(raw(liquidation.markPx) * (long ? 1 + MARK_DISTANCE : 1 - MARK_DISTANCE)),
  )
  const value = positionValue(liquidation.sz, endPx, row)
  const signed = long ? liquidation.sz : negate(liquidation.sz)
  const now = market.fundingIndex
  const end = path.funding.at(-1)?.fundingIndex ?? now
  const funding = fundingBetween(signed, now, end, row)
  const pnl = subtract(long ? value : negate(value), cost)
  const margin = add(maintenanceMargin(value, row.maxLeverage), funding)
  const needed = raw(add(subtract(margin, pnl), fees))
  const initial = Math.ceil((raw(absolute(cost)) / row.maxLeverage) * 1.02) + raw(fees)
  const deposited = cents(Math.max(needed, initial))
  context.ledger.topUpExactly(account, deposited, timeMs)
  const side = long ? 'B' : 'A'
  context.matching.execute({ market, timeMs, side, prints, taker: holding, fromCrowd: true })
  // Where no price was far enough away, the surplus is withdrawn again.
  const surplus = subtract(deposited, cents(Math.max(needed, 1)))
  if (surplus > ZERO) context.ledger.withdraw(account, surplus, timeMs)
  return agent
}

function costAndFees(
  prints: TradePrint[],
  rate: FeeRate,
  long: boolean,
  { market }: PricePath,
): [cost: Usd, fees: Usd] {
  let [cost, fees]: [Usd, Usd] = [ZERO, ZERO]
  for (const { px, sz } of prints) {
    const notional = notionalOf(px, sz, market.row)
    cost = add(cost, long ? notional : negate(notional))
    fees = add(fees, feeOf(notional, market.row, rate))
  }
  return [cost, fees]
}

function openingIndex(
  liquidation: PlannedLiquidation,
  path: PricePath,
  grid: readonly number[],
  latestMs: number,
): number {
  const long = liquidation.direction === 'long'
  const markPx = raw(liquidation.markPx)
  const least = (MARGIN_FACTOR - 0.5) / path.market.row.maxLeverage
  const distances = Array.from(path.px, (px) => (long ? 1 - markPx / px : markPx / px - 1))
  const latest = grid.findLastIndex((timeMs) => timeMs <= latestMs)
  // No earlier liquidation is possible: the price must have stayed beyond the mark price.
  const crossed = distances.findLastIndex((distance) => distance <= 2 * MARK_DISTANCE)
  const uncrossed = bestIndex(distances, crossed + 1, latest, least)
  // A tape that begins beyond the mark price leaves only openings that it crossed before.
  return uncrossed ?? bestIndex(distances, 0, latest, least) ?? grid.length - 1
}

/** The latest index far enough from the mark price, else the farthest; undefined for none. */
function bestIndex(
  distances: number[],
  from: number,
  to: number,
  least: number,
): number | undefined {
  let [index, largest]: [number | undefined, number] = [undefined, Number.NEGATIVE_INFINITY]
  for (let at = to; at >= from; at--) {
    const distance = distances[at] ?? 0
    if (distance >= least) return at
    if (distance > largest) [index, largest] = [at, distance]
  }
  return index
}

/** Splits a size into one to three parts, as one order's fills. */
function splitSize(sz: Sz, px: Px): TradePrint[] {
  const third = size(Math.floor(raw(sz) / 3))
  return third === ZERO
    ? [{ px, sz }]
    : [
        { px, sz: third },
        { px, sz: subtract(sz, third) },
      ]
}

const cents = (usd: number) => money(Math.round(usd / 1e4) * 1e4)
