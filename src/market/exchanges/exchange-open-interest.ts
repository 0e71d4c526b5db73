/**
 * Open interest over exchanges. That of another exchange is, from each minute on, the venue's at
 * that instant times a drifting factor; a total moves with the steps of all its parts.
 */
import { HOUR_MS, later, MINUTE_MS, type TapeMs, tapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import {
  format,
  rate as hourly,
  type Quantity,
  type Rate,
  raw,
  type Sz,
  times,
  type Usd,
} from '../../decimal/quantity.ts'
import { pathSum } from '../bars/exchange-motion.ts'
import { fundingRateSeries } from '../rows/funding-charges.ts'
import { openInterestAt, openInterestSizes, openInterestValues } from '../rows/open-interest.ts'
import type { Ohlc, ValueMapping } from '../rows/step-series.ts'
import { type InstrumentRow, RATE_DECIMALS } from '../schema/schema.ts'
import { perWorld } from '../world/cache.ts'
import type { World } from '../world/world.ts'
import { crowdStanding, leverageBy } from './exchange-crowd.ts'
import { type Contract, type Exchange, exchangesListing, motionsOf, saltsOf } from './exchanges.ts'
import { hourOf, minuteOf } from './pair-minutes.ts'

// Funding rates over all exchanges. The tape's venue charges each hour and shows an hourly rate;
// the other exchanges charge every eight hours and show an eight-hour rate. Each has its own
// premium besides a part shared with the venue; where the premium is small, the interest rate alone
// applies.

/** Eight-hour rate of an exchange; the venue's is scaled to eight hours. */
export function exchangeFundingRate(
  world: World,
  of: InstrumentRow,
  exchange: Exchange | null,
  rate: Rate,
  timeMs: TapeMs,
): Rate {
  if (exchange === null) return times(rate, HOURS)
  return premiumRate(world, of, `funding of ${of.coin} on ${exchange.key}`, rate, timeMs)
}

/** Mean over exchanges, weighted by open interest. */
export function weightedFundingRate(
  world: World,
  of: InstrumentRow,
  rate: Rate,
  timeMs: TapeMs,
): Rate {
  const hourMs = hourOf(timeMs)
  let [sum, weights] = [0, 0]
  for (const exchange of exchangesListing(world, of)) {
    const weight = openInterestFactor(world, exchange, of, hourMs)
    sum += weight * raw(exchangeFundingRate(world, of, exchange, rate, timeMs))
    weights += weight
  }
  return hourly(Math.round(sum / weights))
}

/** Present weighted rate as text; null before the first. */
export function currentWeightedRate(world: World, of: InstrumentRow, atMs: TapeMs): string | null {
  return currentRate(world, of, atMs, (rate, timeMs) =>
    weightedFundingRate(world, of, rate, timeMs),
  )
}

/** The same for contracts settled in the coin. */
export function currentCoinMarginRate(
  world: World,
  of: InstrumentRow,
  atMs: TapeMs,
): string | null {
  const name = `funding of coin-margined ${of.coin}`
  return currentRate(world, of, atMs, (rate, timeMs) => premiumRate(world, of, name, rate, timeMs))
}

function currentRate(world: World, of: InstrumentRow, atMs: TapeMs, mapping: ValueMapping<Rate>) {
  const rate = fundingRateSeries(world).at(of, atMs, mapping)
  return rate === null ? null : fundingRateText(rate)
}

/** A rate as decimal text. */
export const fundingRateText = (rate: Rate): string => format(raw(rate), RATE_DECIMALS)

/** Interval of the other exchanges' rates. */
const HOURS = 8

/** Interest rate over eight hours, 10^-10, and the band around it. */
const BASE = 1_000_000
const BAND = 2_500_000
/** Weight of the venue's premium. */
const SHARED = 0.7
/** Its own premium, 10^-10 for a coin with the venue's highest leverage, and its motion. */
const PREMIUM_SD = 3_400_000
const HIGHEST_LEVERAGE = 40
const PREMIUM = [
  { sd: 0.6, periodMs: 7 * HOUR_MS },
  { sd: 0.8, periodMs: 60 * HOUR_MS },
]
/** Step of 10^-8, as exchanges quote it. */
const STEP = 100
const MOST = 75_000_000

/** Rate from the venue's premium, in which it is monotone, and an own one. */
function premiumRate(
  world: World,
  of: InstrumentRow,
  name: string,
  rate: Rate,
  timeMs: TapeMs,
): Rate {
  const above = raw(rate) * HOURS - BASE
  const shared = SHARED * (above + Math.sign(above) * BAND)
  const sd = PREMIUM_SD * (HIGHEST_LEVERAGE / Math.max(of.maxLeverage, 3)) ** 0.5
  const own = sd * pathSum(saltsOf(world)(name), PREMIUM, hourOf(timeMs))
  const premium = shared + own
  const beyond = Math.sign(premium) * Math.max(0, Math.abs(premium) - BAND)
  return hourly(Math.round(Math.max(-MOST, Math.min(MOST, BASE + beyond)) / STEP) * STEP)
}

/** Open interest of a contract at an instant; null before the first trade. */
export function interestAt(
  world: World,
  { instrument, exchange }: Contract,
  atMs: TapeMs,
): Sz | null {
  if (exchange === null) return openInterestAt(world, instrument, atMs)
  const minuteMs = minuteOf(atMs)
  const own = openInterestAt(world, instrument, later(minuteMs, -1))
  return own && scaled(own, openInterestFactor(world, exchange, instrument, minuteMs))
}

/** Sum over exchanges: a candle for each `[edges[i], edges[i + 1])`, null before the first data. */
export function* openInterestCandles(
  world: World,
  of: InstrumentRow,
  exchanges: readonly (Exchange | null)[],
  edges: readonly TapeMs[],
): Slices<(Ohlc<Sz> | null)[]> {
  const own = openInterestSizes(world)
  if (exchanges.every((one) => one === null)) return yield* own.candles(of, edges)
  const factors = exchanges.flatMap((exchange) =>
    exchange ? [(minuteMs: TapeMs) => openInterestFactor(world, exchange, of, minuteMs)] : [],
  )
  const cuts = minuteCuts(edges)
  const steps = yield* own.candles(of, cuts)
  return yield* summedCandles({ edges, cuts, steps, factors, isOwn: exchanges.includes(null) })
}

/** Value of contracts settled in the coin over all exchanges; null if none is listed. */
export function* coinMarginCandles(
  world: World,
  of: InstrumentRow,
  edges: readonly TapeMs[],
): Slices<(Ohlc<Usd> | null)[] | null> {
  const listing = exchangesListing(world, of).filter((one) => one !== null)
  if (listing.length === 0) return null
  const factors = listing.map((exchange) => {
    const part = coinMarginPart(world)(exchange, of)
    return (minuteMs: TapeMs) => part * openInterestFactor(world, exchange, of, minuteMs)
  })
  const cuts = minuteCuts(edges)
  const steps = yield* openInterestValues(world).candles(of, cuts)
  return yield* summedCandles({ edges, cuts, steps, factors, isOwn: false })
}

/** Open interest of an exchange from a minute on, relative to the venue's. */
export function openInterestFactor(
  world: World,
  exchange: Exchange | null,
  of: InstrumentRow,
  minuteMs: TapeMs,
): number {
  if (exchange === null) return 1
  const usual = motionsOf(world)(exchange, of, 'swap').interestFactor(minuteMs)
  return usual * heldBy(world, exchange, of, minuteMs)
}

/**
 * Effect of an exchange's own leverage: what moves close there besides what they close on the
 * venue. It follows the crowd hour by hour.
 */
function heldBy(world: World, exchange: Exchange, of: InstrumentRow, minuteMs: TapeMs): number {
  const hourMs = hourOf(minuteMs)
  const before = crowdStanding(world, of, later(hourMs, -HOUR_MS)).held
  const now = crowdStanding(world, of, hourMs).held
  const held = before + ((now - before) * (minuteMs - hourMs)) / HOUR_MS
  return Math.min(1, held) ** (leverageBy(world, of, exchange) - 1)
}

/** Contracts settled in the coin relative to those settled in a stablecoin. */
const coinMarginPart = perWorld((world) => {
  const saltOf = saltsOf(world)
  return ({ key }: Exchange, { coin }: InstrumentRow) =>
    0.06 + (0.24 * saltOf(`coin-margined contracts of ${key} in ${coin}`)) / 2 ** 32
})

const scaled = <Q extends Quantity>(own: Q, factor: number): Q =>
  Math.round(raw(own) * factor) as unknown as Q

/** The edges, and all minutes from two before the first to the last. */
function minuteCuts(edges: readonly TapeMs[]): TapeMs[] {
  const [firstMs, lastMs] = [edges[0], edges.at(-1)]
  if (firstMs === undefined || lastMs === undefined) return []
  const cuts: TapeMs[] = []
  let next = 0
  for (let atMs = later(minuteOf(firstMs - 1), -MINUTE_MS); atMs < lastMs; ) {
    cuts.push(atMs)
    while ((edges[next] ?? lastMs) <= atMs && next < edges.length) next++
    atMs = tapeMs(Math.min(minuteOf(atMs) + MINUTE_MS, edges[next] ?? lastMs))
  }
  return [...cuts, lastMs]
}

interface InterestSteps<Q extends Quantity> {
  edges: readonly TapeMs[]
  cuts: readonly TapeMs[]
  /** Venue's candles between the cuts. */
  steps: readonly (Ohlc<Q> | null)[]
  /** Factors of the other exchanges in the sum. */
  factors: readonly ((minuteMs: TapeMs) => number)[]
  isOwn: boolean
}

function* summedCandles<Q extends Quantity>(of: InterestSteps<Q>): Slices<(Ohlc<Q> | null)[]> {
  const { edges, cuts, steps, isOwn } = of
  const candles: (Ohlc<Q> | null)[] = []
  let candle: Ohlc<Q> | null = null
  let [others, last, place] = [0, null as Q | null, 0]
  const quantity = (value: number) => value as unknown as Q
  for (const [at, step] of steps.entries()) {
    yield
    const atMs = cuts[at] as TapeMs
    if (atMs === edges[place]) {
      if (place > 0) candles.push(candle)
      candle = last === null ? null : { open: last, high: last, low: last, close: last }
      place++
    }
    if (minuteOf(atMs) === atMs) others = othersFrom(of, at)
    if (step === null || (!isOwn && others === 0)) continue
    const value = (own: Q) => (isOwn ? raw(own) : 0) + others
    const [low, high] = [value(step.low), value(step.high)]
    last = quantity(value(step.close))
    candle ??= { open: quantity(value(step.open)), high: last, low: last, close: last }
    candle.high = quantity(Math.max(raw(candle.high), high))
    candle.low = quantity(Math.min(raw(candle.low), low))
    candle.close = last
  }
  if (edges.length > 1) candles.push(candle)
  return candles
}

/** Open interest of the other exchanges from a cut on, which is a full minute. */
function othersFrom<Q extends Quantity>({ cuts, steps, factors }: InterestSteps<Q>, at: number) {
  const before = steps[at - 1]
  if (!before) return 0
  const minuteMs = cuts[at] as TapeMs
  return factors.reduce((sum, factor) => sum + raw(scaled(before.close, factor(minuteMs))), 0)
}
