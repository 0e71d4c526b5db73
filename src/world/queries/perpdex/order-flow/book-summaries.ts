/**
 * Volume of a book over time. On the tape it is the books themselves; there are none before, so
 * there the first one is carried back, its volume varied at random from hour to hour.
 */
import { HOUR_MS } from '../../../../clock/durations.ts'
import { shownAt, type TapeMs } from '../../../../clock/instant.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { BookSummary } from '../../../../contract/records/order-flow.ts'
import { raw } from '../../../../decimal/quantity.ts'
import { randomSource } from '../../../../random/random-source.ts'
import type { Book, PriceLevel } from '../../../books/book.ts'
import { bookCacheOf } from '../../../books/book-cache.ts'
import { bigintText } from '../../../formatting/decimal-text.ts'
import { lastPx } from '../../../rows/trade-rows.ts'
import type { InstrumentRow } from '../../../schema.ts'
import { gridStep, timeGrid } from '../../../shown-time/time-grid.ts'
import type { World } from '../../../world.ts'

/** Oldest first, the present last; empty before the first book. */
export function bookSummariesOf(
  world: World,
  moment: Moment,
  of: InstrumentRow,
  windowMs: number,
): BookSummary[] {
  const { atMs, shiftMs, answers } = moment
  const first = bookCacheOf(world).first(of)
  if (first === null || first.timeMs > atMs) return []
  const isUsd = answers['book-summary-unit'] === 'usd'
  const scale = isUsd ? of.szDecimals + of.pxDecimals : of.szDecimals
  const shownS = (timeMs: TapeMs) => Math.floor(shownAt(timeMs, shiftMs) / 1000)
  const fromMs = Math.max(atMs - windowMs, world.meta.historyStartMs)
  const times = timeGrid(moment, gridStep(windowMs, STEPS_MIN), fromMs)
  const last = times.at(-1)
  if (last !== undefined && shownS(last) === shownS(atMs)) times.pop()
  const firstVolumes = { bids: volumeOf(first.bids, isUsd), asks: volumeOf(first.asks, isUsd) }
  return [...times, atMs].map((timeMs) => {
    const volume = (side: 'bids' | 'asks') => {
      const firstVolume = firstVolumes[side]
      return bigintText(volumeAt(world, of, { first, firstVolume, side, timeMs, isUsd }), scale)
    }
    const time = shownS(timeMs) - Math.round(shiftMs / 1000)
    return { time, coin: of.coin, bidVolume: volume('bids'), askVolume: volume('asks') }
  })
}

/** Steps that a window has at least. */
const STEPS_MIN = 24

interface BookVolumeQuery {
  first: Book
  firstVolume: bigint
  side: 'bids' | 'asks'
  timeMs: TapeMs
  isUsd: boolean
}

/** In size units, or in price x size units. */
function volumeAt(
  world: World,
  of: InstrumentRow,
  { first, firstVolume, side, timeMs, isUsd }: BookVolumeQuery,
): bigint {
  if (timeMs >= first.timeMs) {
    const volume = bookCacheOf(world).look(of, timeMs, (current) =>
      current === first ? firstVolume : volumeOf(current[side], isUsd),
    )
    return volume ?? firstVolume
  }
  const volume =
    (firstVolume * BigInt(volumeFactorAt(world, of, side, first.timeMs, timeMs))) /
    BigInt(FACTOR_SCALE)
  const [then, now] = [lastPx(world, of, timeMs), lastPx(world, of, first.timeMs)]
  return isUsd && then !== null && now !== null
    ? (volume * BigInt(raw(then))) / BigInt(raw(now))
    : volume
}

/** The sum of a side, exact: as numbers while they are, because a deep book has many levels. */
function volumeOf(side: readonly PriceLevel[], isUsd: boolean): bigint {
  let [sum, part] = [0n, 0]
  for (const { px, sz } of side) {
    const volume = isUsd ? raw(px) * raw(sz) : raw(sz)
    if (part + volume > Number.MAX_SAFE_INTEGER) {
      sum += BigInt(part)
      part = 0
    }
    if (volume <= Number.MAX_SAFE_INTEGER) part += volume
    else sum += BigInt(raw(px)) * BigInt(raw(sz))
  }
  return sum + BigInt(part)
}

/** Factors are counted in ten-thousandths. */
const FACTOR_SCALE = 10_000
/** So far before the first book they are free of it. */
const FREE_FACTOR_MS = 6 * HOUR_MS

/** Of the first book's volume; a line between the factors of two full hours. */
function volumeFactorAt(
  { meta: { seed } }: World,
  { coin }: InstrumentRow,
  side: string,
  firstMs: number,
  timeMs: TapeMs,
): number {
  const hour = Math.floor(timeMs / HOUR_MS)
  const knot = (at: number) =>
    randomSource(seed, `${side} of ${coin} in hour ${at}`).between(7_000, 13_000)
  const part = timeMs / HOUR_MS - hour
  const free = knot(hour) * (1 - part) + knot(hour + 1) * part
  const weight = Math.min(1, (firstMs - timeMs) / FREE_FACTOR_MS)
  return Math.round(FACTOR_SCALE + weight * (free - FACTOR_SCALE))
}
