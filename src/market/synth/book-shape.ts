import type { RandomSource } from '../../random/random-source.ts'
import { exponential } from './distributions.ts'
import { type PriceSteps, tickBp } from './price-grid.ts'

/** How far from the touch, in ticks, most orders rest. */
const HUMP_TICKS = 12
/** How fast sizes fall beyond the hump: a power of the distance. */
const DECAY = 0.85
/** Part of the orders that come near the touch, and how near on average. */
const NEAR = { odds: 0.42, ticks: 6 }

/** What the shape of a book follows from. */
interface ShapedBook extends PriceSteps {
  startPx: number
  levels: number
  gapTicks: number
  extent: number
}

/**
 * Where makers' orders lie in the book of one instrument, by their distance from the touch in
 * ticks: level by level at first, then with gaps that grow with the distance, so that some hundred
 * levels reach as far as makers quote at all.
 */
export class BookShape {
  /** Distance of the last level. */
  readonly extent: number
  /** Distance from which gaps grow. */
  private readonly dense: number
  private readonly tail: number

  constructor(private readonly profile: ShapedBook) {
    this.extent = Math.max(1, Math.round((profile.extent * 10_000) / tickBp(profile)))
    this.dense = denseTicks(profile, this.extent)
    this.tail = Math.log(this.extent / this.dense)
  }

  /** Mean distance from a level to the next one outward. */
  gap(distance: number): number {
    return this.profile.gapTicks * Math.max(1, distance / this.dense)
  }

  /** Mean size of a level against the instrument's usual one: a hump, then a power law. */
  size(distance: number): number {
    const part = distance / HUMP_TICKS
    const density = part < 1 ? 0.34 + part * (1.26 - 0.6 * part) : part ** -DECAY
    return density * (this.gap(distance) / this.profile.gapTicks)
  }

  /** The distance of an order that comes or changes. */
  draw(random: RandomSource): number {
    if (random.chance(NEAR.odds)) return 1 + Math.floor(exponential(random, NEAR.ticks))
    return this.spread(random)
  }

  /** A distance as levels are spread over the book. */
  spread(random: RandomSource): number {
    const place = random.unit() * (1 + this.tail)
    const distance = place < 1 ? place * this.dense : this.dense * Math.exp(place - 1)
    return 1 + Math.floor(distance)
  }

  /** The tick that a maker chooses near another one: the rounder, the wider the gaps are. */
  chosen(tick: number, distance: number, random: RandomSource): number {
    const gap = this.gap(distance)
    const unit = gap < 4 ? 1 : gap < 20 ? 10 : gap < 40 ? 50 : 100
    return unit === 1 || random.chance(0.4) ? tick : Math.round(tick / unit) * unit
  }
}

/** The share by which round prices draw more. */
export function roundness(tick: number): number {
  if (tick % 100 === 0) return 5
  if (tick % 50 === 0) return 3.2
  return tick % 10 === 0 ? 2 : 1
}

/** Mean of it over all prices. */
export const MEAN_ROUNDNESS = 1.142

/** The dense distance with which the gaps add up to the profile's number of levels. */
function denseTicks({ levels, gapTicks }: ShapedBook, extent: number): number {
  const ticks = levels * gapTicks
  let dense = ticks / 2
  for (let step = 0; step < 30; step++) dense = ticks / (1 + Math.log(Math.max(1, extent / dense)))
  return Math.min(dense, extent)
}
