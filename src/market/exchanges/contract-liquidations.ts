/**
 * Liquidations of contracts. The venue's are rows. On other exchanges they come in the minutes
 * after moves that were large for their hour, longs after falls, with heavy-tailed sizes, so that
 * they correlate with the market's without copying the venue's.
 */

import { DAY_MS, HOUR_MS, later, MINUTE_MS, type TapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import { ratio, raw, type Usd, usd, ZERO } from '../../decimal/quantity.ts'
import { columns } from '../rows/columns.ts'
import { openInterestValue } from '../rows/open-interest.ts'
import { tradeHoursOf } from '../rows/trade-hours.ts'
import { type InstrumentRow, liquidation } from '../schema/schema.ts'
import { countAt, hashAt, unitAt } from '../synth/distributions.ts'
import { Cache, perWorld } from '../world/cache.ts'
import type { World } from '../world/world.ts'
import { interestAt } from './exchange-open-interest.ts'
import type { Contract } from './exchanges.ts'
import { type Exchange, saltsOf } from './exchanges.ts'
import { hourOf, ownHourBefore, ownSpan } from './pair-minutes.ts'

export interface ContractLiquidation {
  timeMs: TapeMs
  /** Side of the liquidated position. */
  direction: 'long' | 'short'
  value: Usd
}

/** Those of a contract with fromMs <= time < toMs, oldest first; an hour a slice. */
export function* contractLiquidations(
  world: World,
  { instrument, exchange }: Contract,
  fromMs: TapeMs,
  toMs: TapeMs,
): Slices<ContractLiquidation[]> {
  const found: ContractLiquidation[] = []
  const firstMs = hourOf(Math.max(fromMs, world.meta.historyStartMs))
  if (exchange !== null)
    yield* tradeHoursOf(world).read(instrument.id, later(firstMs, -DAY_MS), toMs)
  for (let hourMs = firstMs; hourMs < toMs; hourMs = later(hourMs, HOUR_MS)) {
    const rows =
      exchange === null
        ? ownLiquidations(world).all(instrument.id, hourMs, later(hourMs, HOUR_MS))
        : derivedHours(world).read(instrument, exchange, hourMs, toMs)
    for (const one of rows) if (one.timeMs >= fromMs && one.timeMs < toMs) found.push(one)
    yield
  }
  return found
}

const { timeMs, direction, notional } = liquidation

const ownLiquidations = perWorld(({ db }) =>
  columns({ timeMs, direction, value: notional }).prepare<
    [instrument: number, fromMs: TapeMs, toMs: TapeMs]
  >(db, 'from liquidation where instrument = ? and timeMs >= ? and timeMs < ? order by timeMs, id'),
)

/** Hours kept in memory, some kilobytes each. */
const HOURS_KEPT = 8_000
/** Share of the open interest liquidated in a calm hour. */
const HOURLY_PART = 0.00012
/** Count by value: a small contract has few. `at10k` is for a calm hour of 10,000 dollars. */
const COUNT = { at10k: 3, exponent: 0.4, least: 0.5, most: 60 }
const TAIL_EXPONENT = 1.15
const SIZE_MAX = 2000
/** Mean size relative to the smallest one, for that tail. */
const MEAN_SIZE = (TAIL_EXPONENT / (TAIL_EXPONENT - 1)) * (1 - SIZE_MAX ** (1 - TAIL_EXPONENT))
/** Limit of a busy hour's effect on the next one, relative to a day's mean. */
const ACTIVITY_MAX = 8
/** Threshold in standard deviations beyond which there are more of them. */
const CALM = 1
const EXCESS_MAX = 60
/** Share of the side that the price moved against. */
const AGAINST = 0.85

const derivedHours = perWorld((world) => {
  const known = new Cache<string, ContractLiquidation[]>(HOURS_KEPT)
  return {
    read(of: InstrumentRow, exchange: Exchange, hourMs: TapeMs, toMs: TapeMs) {
      if (hourMs + HOUR_MS > toMs) return hourLiquidations(world, of, exchange, hourMs, toMs)
      return known.get(`${exchange.key}/${of.id}/${hourMs}`, () =>
        hourLiquidations(world, of, exchange, hourMs, later(hourMs, HOUR_MS)),
      )
    },
  }
})

function hourLiquidations(
  world: World,
  of: InstrumentRow,
  exchange: Exchange,
  hourMs: TapeMs,
  toMs: TapeMs,
): ContractLiquidation[] {
  const expected = expectedHour(world, of, exchange, hourMs)
  if (expected === null) return []
  const salt = saltsOf(world)(`liquidations of ${of.coin} on ${exchange.key}`)
  const found: ContractLiquidation[] = []
  for (let minuteMs = hourMs; minuteMs < toMs; minuteMs = later(minuteMs, MINUTE_MS)) {
    const move = moveBefore(world, of, minuteMs, expected.sigma)
    const excess = Math.min(EXCESS_MAX, 2 * Math.max(0, Math.abs(move) - CALM) ** 2)
    const place = minuteMs / MINUTE_MS
    const count = countAt(salt, place, (expected.count / 60) * (0.6 + excess))
    const within = Array.from({ length: count }, (_, nth) =>
      drawn(hashAt(salt ^ nth, place), minuteMs, move, expected.least),
    )
    found.push(...within.sort((a, b) => a.timeMs - b.timeMs))
  }
  return found
}

function drawn(salt: number, minuteMs: TapeMs, move: number, least: number): ContractLiquidation {
  const isAgainst = unitAt(salt, 1) < (Math.abs(move) > CALM ? AGAINST : 0.5)
  const size = Math.min(SIZE_MAX, unitAt(salt, 2) ** (-1 / TAIL_EXPONENT))
  return {
    timeMs: later(minuteMs, Math.floor(unitAt(salt, 3) * MINUTE_MS)),
    direction: isAgainst === move < 0 ? 'long' : 'short',
    // Rounded to the cent.
    value: usd(Math.round(least * size * 100) * 10_000),
  }
}

/** Count of a calm hour, value of the smallest one, dollars, and the usual price move. */
function expectedHour(world: World, of: InstrumentRow, exchange: Exchange, hourMs: TapeMs) {
  const hours = tradeHoursOf(world)
  const px = hours.pxBefore(of.id, hourMs)
  const sz = interestAt(world, { instrument: of, exchange }, hourMs)
  if (px === null || sz === null || sz === ZERO) return null
  const value = (Number(openInterestValue(of, sz, px)) / 1e6) * HOURLY_PART
  const usual = COUNT.at10k * (value / 10_000) ** COUNT.exponent
  const count = Math.min(COUNT.most, Math.max(COUNT.least, usual))
  const day = hours.tally(of.id, later(hourMs, -DAY_MS), hourMs)
  if (day.isEmpty) return null
  const activity = (24 * ownHourBefore(world, of, hourMs).size) / raw(day.size)
  return {
    count: count * Math.min(ACTIVITY_MAX, activity),
    least: value / count / MEAN_SIZE,
    sigma: Math.log(ratio(day.high, day.low)) / RANGE_OF_DAY,
  }
}

/** Move of the quarter of an hour before a minute, in its usual standard deviations. */
function moveBefore(world: World, of: InstrumentRow, minuteMs: TapeMs, sigma: number): number {
  const fromMs = later(minuteMs, -MOVE_MINUTES * MINUTE_MS)
  const { before } = ownSpan(world, of, fromMs, later(fromMs, MINUTE_MS))
  const now = ownSpan(world, of, later(minuteMs, -MINUTE_MS), minuteMs)
  const px = now.prices?.close ?? now.before
  if (before === null || px === null) return 0
  return Math.log(px / before) / Math.max(sigma, LEAST_SIGMA)
}

const MOVE_MINUTES = 15
/** Expected range of a day of independent moves, in standard deviations of one. */
const RANGE_OF_DAY = 1.6 * Math.sqrt((24 * 60) / MOVE_MINUTES)
const LEAST_SIGMA = 0.0003
