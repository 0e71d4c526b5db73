/**
 * How trading goes within a minute: in bursts, with sizes that differ, along a rough path. A bar
 * has one of some shapes, by its prices, so that its parts need no storage.
 */
import { randomSource } from '../../random/random-source.ts'

export const BAR_MS = 60_000
/** A shape has a knot each second, and straight lines between them. */
const SECOND_MS = 1000
const SECONDS = BAR_MS / SECOND_MS
/** Parts of each of the three legs of the price: open, first extreme, second, close. */
export const LEG_PARTS = 8

export interface MinuteShape {
  /** Share of the minute's trades by each second, in 60,000ths. */
  counts: Float64Array
  /** The same of its size; the price follows it. */
  sizes: Float64Array
  /** Part of the way of each leg, by eighths of its size. */
  legs: readonly [Float64Array, Float64Array, Float64Array]
}

/** The shape of a bar. */
export function shapeOf(bar: { open: number; high: number; low: number; close: number }) {
  const hash = mixed(mixed(mixed(mixed(0x811c9dc5, bar.open), bar.high), bar.low), bar.close)
  const at = (hash >>> 8) % SHAPES_COUNT
  const known = SHAPES[at]
  if (known) return known
  const shape = shapeAt(at)
  SHAPES[at] = shape
  return shape
}

function mixed(hash: number, px: number): number {
  const product = Math.imul(hash ^ px, 0x9e3779b1)
  return product ^ (product >>> 15)
}

/** Share by an offset from the minute's start, in 60,000ths. */
export function shareBy(shares: Float64Array, offsetMs: number): number {
  const second = Math.min(SECONDS - 1, Math.floor(offsetMs / SECOND_MS))
  const [from, to] = [shares[second] as number, shares[second + 1] as number]
  return from + ((to - from) * (offsetMs - second * SECOND_MS)) / SECOND_MS
}

/** The offset by which a share is reached, to a millionth of a ms. */
export function offsetBy(shares: Float64Array, share: number): number {
  let [low, high] = [0, SECONDS - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((shares[middle + 1] as number) >= share) high = middle
    else low = middle + 1
  }
  const [from, to] = [shares[low] as number, shares[low + 1] as number]
  const offsetMs = low * SECOND_MS + (SECOND_MS * (share - from)) / (to - from)
  return Math.round(offsetMs * 1e6) / 1e6
}

const SHAPES_COUNT = 512
/** Log-normal spreads of a second's trades, and of their mean size. */
const COUNT_SPREAD = 0.8
const SIZE_SPREAD = 0.9
/** How far the price strays from a straight line, in parts of a leg. */
const STRAY = 0.3

/** Made on first use: all of them take a tenth of a start. */
const SHAPES: (MinuteShape | null)[] = Array.from({ length: SHAPES_COUNT }, () => null)

function shapeAt(at: number): MinuteShape {
  const random = randomSource('minute', `shape ${at}`)
  const seconds = Array.from({ length: SECONDS }, () => Math.exp(COUNT_SPREAD * random.normal()))
  const sizes = seconds.map((count) => count * Math.exp(SIZE_SPREAD * random.normal()))
  const leg = () => legOf(Array.from({ length: LEG_PARTS / 2 - 1 }, () => STRAY * random.normal()))
  return { counts: sharesOf(seconds), sizes: sharesOf(sizes), legs: [leg(), leg(), leg()] }
}

/** Whole 60,000ths, at least one a second. */
function sharesOf(weights: readonly number[]): Float64Array {
  const shares = new Float64Array(SECONDS + 1)
  const total = weights.reduce((sum, one) => sum + one, 0)
  let sum = 0
  for (let at = 1; at < SECONDS; at++) {
    sum += weights[at - 1] as number
    const share = Math.round(((BAR_MS - SECONDS) * sum) / total) + at
    shares[at] = share
  }
  shares[SECONDS] = BAR_MS
  return shares
}

/** Point-symmetric, so that its mean is that of a straight line. */
function legOf(strays: readonly number[]): Float64Array {
  const leg = new Float64Array(LEG_PARTS + 1)
  leg[LEG_PARTS / 2] = 0.5
  leg[LEG_PARTS] = 1
  for (const [at, stray] of strays.entries()) {
    const part = Math.min(1, Math.max(0, (at + 1) / LEG_PARTS + stray))
    leg[at + 1] = part
    leg[LEG_PARTS - 1 - at] = 1 - part
  }
  return leg
}
