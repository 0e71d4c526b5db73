/** Value, PnL and volume of an account over the venue's windows. */

import { sql } from 'drizzle-orm'
import { later, type TapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { PortfolioWindow, VenuePortfolio } from '../../../../contract/records/account-state.ts'
import { spanMs } from '../../../../contract/span.ts'
import {
  add,
  multiply,
  type Px,
  pow10,
  raw,
  subtract,
  type Usd,
  usd,
  ZERO,
} from '../../../../decimal/quantity.ts'
import { bigintText, NATIVE_DECIMALS } from '../../../formatting/decimal-text.ts'
import { columns } from '../../../rows/columns.ts'
import type { Place } from '../../../rows/funding-charges.ts'
import { markPx } from '../../../rows/mark-prices.ts'
import { savingsSum } from '../../../rows/savings.ts'
import { spotTotals } from '../../../rows/spot-balances.ts'
import { traderHistories } from '../../../rows/trader-histories.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { fill, type InstrumentRow, MONEY_DECIMALS, usdText } from '../../../schema/schema.ts'
import { wholeStep } from '../../../shown-time/time-grid.ts'
import { perWorld } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'
import { equityPointAt } from '../pnl-curves/equity-curve.ts'

// Value of a trader's spot account at an instant, token by token.

/** Dollars, and tokens at the mark price of their pair. Zero before any activity. */
function spotEquityAt(world: World, trader: number, atMs: TapeMs): Usd {
  let spot: Usd = ZERO
  for (const { instrument, total, decimals } of spotTotals(world, trader, atMs)) {
    const px = instrument && (markPx(world, instrument, atMs) ?? ZERO)
    spot = add(
      spot,
      instrument && px ? valueAt(total, decimals, px, instrument.pxDecimals) : usd(total),
    )
  }
  return spot
}

function valueAt(total: number, decimals: number, px: Px, pxDecimals: number): Usd {
  const surplus = decimals + pxDecimals - MONEY_DECIMALS
  const product = BigInt(total) * BigInt(raw(px))
  if (surplus <= 0) return usd(multiply(Number(product), pow10(-surplus)))
  return usd(Number((2n * product + 10n ** BigInt(surplus)) / (2n * 10n ** BigInt(surplus))))
}

/** Length of each window, and the distance of its points; null for all time. */
const WINDOWS = [
  { length: '1d', step: '2h' },
  { length: '7d', step: '3h' },
  { length: '30d', step: '12h' },
  { length: null, step: '12h' },
] as const

/** Points lie on shown time; the last is the present. */
export function* portfolioOf(
  world: World,
  moment: Moment,
  address: string,
): Slices<VenuePortfolio> {
  const [day, week, month, ever] = yield* curvesOf(world, moment, address)
  return [
    ['day', day.all],
    ['week', week.all],
    ['month', month.all],
    ['allTime', ever.all],
    ['perpDay', day.perp],
    ['perpWeek', week.perp],
    ['perpMonth', month.perp],
    ['perpAllTime', ever.perp],
  ]
}

interface PortfolioCurves {
  perp: PortfolioWindow
  all: PortfolioWindow
}

const EMPTY: PortfolioWindow = { accountValueHistory: [], pnlHistory: [], vlm: '0.0' }
const NO_CURVES: PortfolioCurves = { perp: EMPTY, all: EMPTY }

/** In the order of WINDOWS. */
type OfWindows<T> = [day: T, week: T, month: T, ever: T]

function* curvesOf(
  world: World,
  moment: Moment,
  address: string,
): Slices<OfWindows<PortfolioCurves>> {
  const { atMs, shiftMs } = moment
  const trader = tradersOf(world).find(address)?.id
  const begunMs = trader === undefined ? null : traderHistories(world).of(trader).firstMs
  if (trader === undefined || begunMs === null || begunMs > atMs)
    return [NO_CURVES, NO_CURVES, NO_CURVES, NO_CURVES]
  // A window excludes its start, so the all-time window starts before the first row.
  const fromMs = WINDOWS.map(({ length }) =>
    length === null ? later(begunMs, -1) : later(atMs, -spanMs(length)),
  ) as OfWindows<TapeMs>
  const worthAt = equities(world, trader, shiftMs)
  const volumes = volumesSince(world, trader, fromMs, atMs)
  const curves: PortfolioCurves[] = []
  for (const [at, { step }] of WINDOWS.entries()) {
    const [stepMs, volume] = [spanMs(step), volumes[at] as Volume]
    // The first point is the earliest from which the window could count.
    const firstMs = wholeStep(fromMs[at] as TapeMs, shiftMs, stepMs)
    const points: Equity[] = []
    for (let timeMs = firstMs; timeMs < atMs; timeMs = later(timeMs, stepMs)) {
      points.push(worthAt(timeMs))
      yield
    }
    points.push(worthAt(atMs))
    curves.push({
      perp: windowOf(points, 'perp', 'perpIn', volume.perp),
      all: windowOf(points, 'all', 'allIn', volume.perp + volume.spot),
    })
  }
  return curves as OfWindows<PortfolioCurves>
}

/** Equity and net deposits at an instant: perpetual accounts, and all. */
interface Equity {
  timeMs: TapeMs
  perp: Usd
  all: Usd
  perpIn: Usd
  allIn: Usd
}

/** Cached, as windows share many instants. */
function equities(world: World, trader: number, shiftMs: number) {
  const known = new Map<TapeMs, Equity>()
  return (timeMs: TapeMs): Equity => {
    const equity = known.get(timeMs) ?? equityAt(world, trader, { atMs: timeMs, shiftMs })
    known.set(timeMs, equity)
    return equity
  }
}

function equityAt(world: World, trader: number, place: Place): Equity {
  const { timeMs, main, builder, perpIn, spotIn } = equityPointAt(world, trader, place)
  const perp = add(main, builder)
  const beside = add(spotEquityAt(world, trader, timeMs), savingsSum(world, trader, timeMs))
  const all = add(perp, beside)
  return { timeMs, perp, all, perpIn, allIn: add(perpIn, spotIn) }
}

function windowOf(
  points: readonly Equity[],
  value: 'perp' | 'all',
  broughtIn: 'perpIn' | 'allIn',
  volume: bigint,
): PortfolioWindow {
  const gain = (point: Equity) => subtract(point[value], point[broughtIn])
  const first: Usd = points[0] ? gain(points[0]) : ZERO
  const text = (money: Usd) => usdText(money, NATIVE_DECIMALS)
  return {
    accountValueHistory: points.map((point) => [point.timeMs, text(point[value])]),
    pnlHistory: points.map((point) => [point.timeMs, text(subtract(gain(point), first))]),
    vlm: bigintText(volume, MONEY_DECIMALS, NATIVE_DECIMALS),
  }
}

interface Volume {
  perp: bigint
  spot: bigint
}

/** Volumes since each of some instants: fills are read once for all. */
function volumesSince(
  world: World,
  trader: number,
  fromMs: OfWindows<TapeMs>,
  atMs: TapeMs,
): OfWindows<Volume> {
  const sums = fromMs.map(() => ({ perp: 0n, spot: 0n })) as OfWindows<Volume>
  const rows = statements(world).all(...fromMs, trader, Math.min(...fromMs) as TapeMs, atMs)
  for (const { instrument, ...volumes } of rows) {
    const { kind } = world.instruments[instrument] as InstrumentRow
    for (const [at, volume] of Object.values(volumes).entries())
      (sums[at] as Volume)[kind] += BigInt(raw(volume))
  }
  return sums
}

const { instrument, timeMs, notional } = fill
const since = sql<Usd>`sum(iif(${timeMs} > ?, ${notional}, 0))`
const VOLUMES = columns({ instrument, day: since, week: since, month: since, ever: since })

const statements = perWorld(({ db }) =>
  VOLUMES.prepare<[...OfWindows<TapeMs>, trader: number, afterMs: TapeMs, toMs: TapeMs]>(
    db,
    'from fill where trader = ? and timeMs > ? and timeMs <= ? group by instrument',
  ),
)
