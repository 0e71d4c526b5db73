/**
 * What stocks cost at full minutes: their first price, moved by a multiple of what bitcoin did
 * since and by a motion of their own, which belongs to the seed and the minute.
 */
import { later, type TapeMs, tapeMs } from '../../../clock/instant.ts'
import { ratio } from '../../../decimal/quantity.ts'
import { randomSource } from '../../../random/random-source.ts'
import { Cache } from '../../cache.ts'
import { perWorld } from '../../per-world.ts'
import { coinsOf } from '../../rows/coins.ts'
import { fullMinute, MINUTE_MS, minutePricesOf } from '../../rows/minute-prices.ts'
import type { World } from '../../world.ts'
import type { StockListing } from './stock-listings.ts'

const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Prices are counted in thousandths. */
export const PRICE_UNIT = 1000

export const stockPricesOf = perWorld((world) => new StockPrices(world))

/** Hours kept in memory, half a kilobyte each. */
const CACHE_LIMIT = 20_000

/** An hour of a stock, minute by minute. */
interface StockHour {
  prices: Float64Array
  high: number
  low: number
}

export class StockPrices {
  private readonly hours = new Cache<string, StockHour>(CACHE_LIMIT)
  private readonly leader: (minuteMs: TapeMs) => number
  private readonly motion: RandomMotion

  constructor(world: World) {
    this.leader = leaderReturn(world)
    this.motion = new RandomMotion(world.meta.seed)
  }

  /** Thousandths at a full minute of tape time. */
  at(listing: StockListing, minuteMs: TapeMs): number {
    const startMs = tapeMs(Math.floor(minuteMs / HOUR_MS) * HOUR_MS)
    return this.hour(listing, startMs).prices[(minuteMs - startMs) / MINUTE_MS] as number
  }

  /** Highest and lowest of all full minutes from one to another, both included. */
  range(listing: StockListing, fromMs: TapeMs, toMs: TapeMs): { high: number; low: number } {
    let [high, low] = [0, Number.POSITIVE_INFINITY]
    const add = (one: { high: number; low: number }) => {
      high = Math.max(high, one.high)
      low = Math.min(low, one.low)
    }
    let minuteMs = fromMs
    while (minuteMs <= toMs) {
      const isWhole = minuteMs % HOUR_MS === 0 && minuteMs + HOUR_MS - MINUTE_MS <= toMs
      const price = this.at(listing, minuteMs)
      add(isWhole ? this.hour(listing, minuteMs) : { high: price, low: price })
      minuteMs = later(minuteMs, isWhole ? HOUR_MS : MINUTE_MS)
    }
    return { high, low }
  }

  private hour(listing: StockListing, startMs: TapeMs): StockHour {
    return this.hours.get(`${listing.symbol}/${startMs}`, () => this.computeHour(listing, startMs))
  }

  private computeHour(listing: StockListing, startMs: TapeMs): StockHour {
    const prices = this.motion
      .hour(listing.symbol, startMs)
      .map((moved, minute) => this.price(listing, later(startMs, minute * MINUTE_MS), moved))
    return { prices, high: Math.max(...prices), low: Math.min(...prices) }
  }

  private price(listing: StockListing, minuteMs: TapeMs, moved: number): number {
    const { price, beta } = listing
    const followed = 1 + (beta / 100) * (this.leader(minuteMs) - 1)
    const value = price * Math.max(followed, 0.05) * (1 + moved)
    return onTick(listing, value)
  }
}

/** An amount of the currency as a price of the stock, thousandths. */
export function onTick({ price }: StockListing, value: number): number {
  const step = price < LOW_PRICE ? 1 : 10
  return Math.max(1, Math.round((value * PRICE_UNIT) / step)) * step
}

/** Below this a price has three decimals, else two. */
const LOW_PRICE = 10

/** Bitcoin's price over that when the tape begins; 1 where there is none. */
function leaderReturn(world: World): (minuteMs: TapeMs) => number {
  const coins = [...coinsOf(world).values()]
  const leader = coins.find(({ asset }) => asset.key === 'bitcoin') ?? coins[0]
  const prices = minutePricesOf(world)
  const first = leader && prices.at(leader.instrument.id, fullMinute(world.startMs))
  if (!first) return () => 1
  return (minuteMs) => ratio(prices.at(leader.instrument.id, minuteMs) ?? first, first)
}

/** Random knots at days, hours and five minutes, with straight lines between them. */
class RandomMotion {
  private readonly knots = new Cache<string, number[]>(CACHE_LIMIT)

  constructor(private readonly seed: string) {}

  /** What is added to a price at each full minute of an hour, as a part of it. */
  hour(symbol: string, startMs: TapeMs): Float64Array {
    const sums = new Float64Array(60)
    for (const wave of WAVES) this.add(sums, symbol, startMs, wave)
    return sums
  }

  private add(
    sums: Float64Array,
    symbol: string,
    startMs: TapeMs,
    { lengthMs, size }: MotionWave,
  ): void {
    let [knot, left, right] = [Number.NaN, 0, 0]
    for (let minute = 0; minute < 60; minute++) {
      const place = (startMs + minute * MINUTE_MS) / lengthMs
      if (Math.floor(place) !== knot) {
        knot = Math.floor(place)
        left = this.knot(symbol, lengthMs, knot)
        right = this.knot(symbol, lengthMs, knot + 1)
      }
      sums[minute] = (sums[minute] as number) + size * (left + (right - left) * (place - knot))
    }
  }

  /** Drawn by the dozen, for speed. */
  private knot(symbol: string, lengthMs: number, knot: number): number {
    const dozen = Math.floor(knot / 12)
    const key = `stock ${symbol}, ${lengthMs} ms, dozen ${dozen}`
    const all = this.knots.get(key, () => {
      const random = randomSource(this.seed, key)
      return Array.from({ length: 12 }, () => random.normal())
    })
    return all[knot - 12 * dozen] as number
  }
}

interface MotionWave {
  lengthMs: number
  size: number
}

const WAVES: readonly MotionWave[] = [
  { lengthMs: DAY_MS, size: 0.02 },
  { lengthMs: HOUR_MS, size: 0.004 },
  { lengthMs: 5 * MINUTE_MS, size: 0.0012 },
]
