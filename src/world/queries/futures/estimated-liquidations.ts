/**
 * Where positions would be liquidated, estimated from what was traded.
 *
 * A part of the open interest is taken to have each of four leverages, and to have been opened as
 * the turnover of the last days went, long by what takers bought, short by what they sold, the
 * later the more: the higher its leverage, the shorter a position is held. Each is liquidated where
 * its margin is down to the maintenance margin. What the market has passed since is gone.
 */
import type { TapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { EstimatedLiquidationQuery } from '../../../contract/facts/futures.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { EstimatedLiquidation } from '../../../contract/records/futures-history.ts'
import { spanMs } from '../../../contract/span.ts'
import { add, greater, lesser, type Px, portion, subtract } from '../../../decimal/quantity.ts'
import type { Contract } from '../../exchanges/contracts.ts'
import { interestCandles } from '../../exchanges/exchange-interest.ts'
import { priceCells } from '../../formatting/price-cells.ts'
import { interestValue } from '../../rows/interest-value.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import { intervalEdges } from '../../shown-time/interval-edges.ts'
import type { World } from '../../world.ts'
import { SLICE_INTERVAL, SLICE_MS, type TradeSlice, tradeSlices } from './trade-slices.ts'

const HOUR_MS = spanMs('1h')
/** Positions are taken to have been opened within so long. */
const OPENED_MS = spanMs('7d')

/** Leverages, the part of each side's open interest that each has, and how long it is held. */
const LEVERAGES = [
  { name: '10', leverage: 10, part: 0.21, halfLifeMs: 60 * HOUR_MS },
  { name: '25', leverage: 25, part: 0.12, halfLifeMs: 26 * HOUR_MS },
  { name: '50', leverage: 50, part: 0.07, halfLifeMs: 10 * HOUR_MS },
  { name: '100', leverage: 100, part: 0.04, halfLifeMs: 4 * HOUR_MS },
] as const
type Leverage = (typeof LEVERAGES)[number]

/** Oldest first. */
export function* estimatedLiquidationsOf(
  world: World,
  moment: Moment,
  contract: Contract,
  query: EstimatedLiquidationQuery,
): Slices<EstimatedLiquidation[]> {
  const { instrument } = contract
  const firstMs = tradeHoursOf(world).firstMs(instrument.id)
  const edges =
    firstMs === null ? [] : intervalEdges({ ...query, interval: SLICE_INTERVAL }, moment, firstMs)
  if (edges.length === 0) return []
  const before = OPENED_MS / SLICE_MS - 1
  const slices = yield* tradeSlices(world, contract, edges, before)
  const held = openInterestCents(world, contract, edges, slices.slice(before))
  const shown = spanMs(query.cycle) / SLICE_MS
  const writer = priceCells(instrument, {
    isText: moment.answers['estimated-liquidation-cells'] === 'text',
  })
  const records: EstimatedLiquidation[] = []
  for (const [at, timeMs] of edges.slice(0, -1).entries()) {
    yield
    const window = slices.slice(at, at + before + 1)
    const maps = LEVERAGES.filter(({ name }) => (query.leverage ?? name) === name).map((one) => {
      const { long, short } = openByCell(window, one, {
        bin: writer.bin,
        shown,
        cents: held[at] ?? 0,
      })
      const mapping: ['from', 'to', 'turnover'] = ['from', 'to', 'turnover']
      return [one.name, { mapping, short: writer.cells(short), long: writer.cells(long) }] as const
    })
    records.push({
      time: timeMs,
      data_map: Object.fromEntries(maps),
      timestamp: Math.min(edges[at + 1] as number, moment.atMs),
    })
  }
  return records
}

/** Value of the open interest at the end of each interval, cents. */
function openInterestCents(
  world: World,
  { instrument, exchange }: Contract,
  edges: TapeMs[],
  slices: readonly (TradeSlice | null)[],
): number[] {
  let px: Px | null = null
  return interestCandles(world, instrument, [exchange], edges).map((candle, at) => {
    px = slices[at]?.close ?? px
    return candle && px ? Number(interestValue(instrument, candle.close, px)) / 10_000 : 0
  })
}

/** Maintenance margin in ten-thousandths of the position. */
const MAINTENANCE = 40

/** How far the price can go against a position of that leverage. */
const liquidationDistance = (px: Px, { leverage }: Leverage) =>
  portion(px, 10_000 / leverage - MAINTENANCE, 10_000)

/** Cents by cell of the positions of a leverage that no later price has closed. */
function openByCell(
  window: readonly (TradeSlice | null)[],
  one: Leverage,
  { bin, shown, cents }: { bin: (px: Px) => number; shown: number; cents: number },
) {
  const long = new Map<number, number>()
  const short = new Map<number, number>()
  const kept = 2 ** (-SLICE_MS / one.halfLifeMs)
  const sums = { bought: 0, sold: 0 }
  let weight = 1
  for (const slice of window.toReversed()) {
    sums.bought += weight * (slice?.bought ?? 0)
    sums.sold += weight * (slice?.sold ?? 0)
    weight *= kept
  }
  const perDollar = (sum: number) => (sum === 0 ? 0 : (cents * one.part) / sum)
  const [perBought, perSold] = [perDollar(sums.bought), perDollar(sums.sold)]
  let [low, high] = [null as Px | null, null as Px | null]
  weight = 1
  for (const slice of window.slice(-shown).toReversed()) {
    if (slice) {
      const { average, close } = slice
      const distance = liquidationDistance(average, one)
      const [longPx, shortPx] = [subtract(average, distance), add(average, distance)]
      const [least, most] = [low ?? close, high ?? close]
      if (longPx < least) addToCell(long, bin(longPx), weight * slice.bought * perBought)
      if (shortPx > most) addToCell(short, bin(shortPx), weight * slice.sold * perSold)
      low = lesser(slice.low, least)
      high = greater(slice.high, most)
    }
    weight *= kept
  }
  return { long, short }
}

/** Whole cents. */
function addToCell(cells: Map<number, number>, bin: number, cents: number): void {
  const whole = Math.floor(cents)
  if (whole > 0) cells.set(bin, (cells.get(bin) ?? 0) + whole)
}
