/**
 * Open interest over exchanges. That of another exchange is, from each minute on, the own venue's
 * at that instant times a factor that drifts; a total moves with the steps of all that are in it.
 */
import { MINUTE_MS } from '../../clock/durations.ts'
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import { type Quantity, raw, type Sz, type Usd } from '../../decimal/quantity.ts'
import { openInterestAt, openInterestSizes, openInterestValues } from '../rows/open-interest.ts'
import type { Ohlc } from '../rows/step-series.ts'
import type { InstrumentRow } from '../schema/schema.ts'
import { perWorld } from '../world/per-world.ts'
import type { World } from '../world/world.ts'
import type { Contract } from './contracts.ts'
import { type Exchange, exchangesListing, motionsOf, saltsOf } from './exchanges.ts'
import { minuteOf } from './own-minutes.ts'

/** Open interest of a contract at an instant; null before the first trade. */
export function interestAt(
  world: World,
  { instrument, exchange }: Contract,
  atMs: TapeMs,
): Sz | null {
  if (exchange === null) return openInterestAt(world, instrument, atMs)
  const minuteMs = minuteOf(atMs)
  const own = openInterestAt(world, instrument, later(minuteMs, -1))
  return own && scaled(own, interestFactor(world, exchange, instrument, minuteMs))
}

/**
 * Sum over exchanges; a candle for each `[edges[i], edges[i + 1])`, null where there is nothing
 * yet.
 */
export function* interestCandles(
  world: World,
  of: InstrumentRow,
  exchanges: readonly (Exchange | null)[],
  edges: readonly TapeMs[],
): Slices<(Ohlc<Sz> | null)[]> {
  const own = openInterestSizes(world)
  if (exchanges.every((one) => one === null)) return yield* own.candles(of, edges)
  const factors = exchanges.flatMap((exchange) =>
    exchange ? [(minuteMs: TapeMs) => interestFactor(world, exchange, of, minuteMs)] : [],
  )
  const cuts = minuteCuts(edges)
  const steps = yield* own.candles(of, cuts)
  return yield* summedCandles({ edges, cuts, steps, factors, isOwn: exchanges.includes(null) })
}

/** Value of contracts settled in the coin over all exchanges; null: nobody lists any. */
export function* coinMarginCandles(
  world: World,
  of: InstrumentRow,
  edges: readonly TapeMs[],
): Slices<(Ohlc<Usd> | null)[] | null> {
  const listing = exchangesListing(of).filter((one) => one !== null)
  if (listing.length === 0) return null
  const factors = listing.map((exchange) => {
    const part = coinMarginPart(world)(exchange, of)
    return (minuteMs: TapeMs) => part * interestFactor(world, exchange, of, minuteMs)
  })
  const cuts = minuteCuts(edges)
  const steps = yield* openInterestValues(world).candles(of, cuts)
  return yield* summedCandles({ edges, cuts, steps, factors, isOwn: false })
}

/** Open interest of an exchange from a minute on, against the own venue's. */
export const interestFactor = (
  world: World,
  exchange: Exchange | null,
  of: InstrumentRow,
  minuteMs: TapeMs,
): number =>
  exchange === null ? 1 : motionsOf(world)(exchange, of, 'swap').interestFactor(minuteMs)

/** Contracts settled in the coin against those settled in a stablecoin. */
const coinMarginPart = perWorld((world) => {
  const saltOf = saltsOf(world)
  return ({ key }: Exchange, { coin }: InstrumentRow) =>
    0.06 + (0.24 * saltOf(`coin-margined contracts of ${key} in ${coin}`)) / 2 ** 32
})

const scaled = <Q extends Quantity>(own: Q, factor: number): Q =>
  Math.round(raw(own) * factor) as unknown as Q

/** The edges and all minutes from two before the first of them to the last. */
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
  /** Of the own venue, between the cuts. */
  steps: readonly (Ohlc<Q> | null)[]
  /** Of each other exchange in the sum. */
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

/** What the other exchanges hold from a cut on, which is a full minute. */
function othersFrom<Q extends Quantity>({ cuts, steps, factors }: InterestSteps<Q>, at: number) {
  const before = steps[at - 1]
  if (!before) return 0
  const minuteMs = cuts[at] as TapeMs
  return factors.reduce((sum, factor) => sum + raw(scaled(before.close, factor(minuteMs))), 0)
}
