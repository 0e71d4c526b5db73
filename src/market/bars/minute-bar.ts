/**
 * One minute of one instrument, and what of it lies in any part of the minute. Parts of a bar
 * always add up to the bar, so candles over any span can be added up from bars.
 *
 * Prices in price units, sizes in size units, offsets in ms from the minute's start.
 */

export interface MinuteBar {
  open: number
  high: number
  low: number
  close: number
  /** Whether the high came before the low. */
  highFirst: boolean
  /** What takers bought and sold. */
  bought: number
  sold: number
  trades: number
}

export const BAR_MS = 60_000
/** The extremes are reached after a third and two thirds of the minute. */
export const CORNER_MS = BAR_MS / 3

/** The price at an offset: straight lines from open over the two extremes to close. */
export function priceIn(bar: MinuteBar, offsetMs: number): number {
  const corner = Math.min(2, Math.floor(offsetMs / CORNER_MS))
  const part = offsetMs / CORNER_MS - corner
  return cornerPx(bar, corner) * (1 - part) + cornerPx(bar, corner + 1) * part
}

function cornerPx({ open, high, low, close, highFirst }: MinuteBar, corner: number): number {
  if (corner === 0) return open
  if (corner === 3) return close
  return (corner === 1) === highFirst ? high : low
}

/** When the price first is at or beyond another, from an offset on; undefined for never. */
export function reachedIn(
  bar: MinuteBar,
  px: number,
  above: boolean,
  fromMs: number,
): number | undefined {
  if (above ? bar.high < px : bar.low > px) return undefined
  const isThere = (at: number) => (above ? at >= px : at <= px)
  let [atMs, at] = [fromMs, priceIn(bar, fromMs)]
  if (isThere(at)) return fromMs
  for (let corner = Math.floor(fromMs / CORNER_MS) + 1; corner <= 3; corner++) {
    const next = cornerPx(bar, corner)
    const lengthMs = corner * CORNER_MS - atMs
    if (isThere(next)) return Math.min(BAR_MS - 1, atMs + (lengthMs * (px - at)) / (next - at))
    ;[atMs, at] = [corner * CORNER_MS, next]
  }
  return undefined
}

/** Highest and lowest price from an offset to another, both included. */
export function rangeIn(bar: MinuteBar, fromMs: number, toMs: number): [low: number, high: number] {
  if (fromMs === 0 && toMs === BAR_MS) return [bar.low, bar.high]
  const [from, to] = [priceIn(bar, fromMs), priceIn(bar, toMs)]
  let [low, high] = [Math.min(from, to), Math.max(from, to)]
  for (let corner = 1; corner <= 2; corner++) {
    if (fromMs >= corner * CORNER_MS || corner * CORNER_MS >= toMs) continue
    const price = cornerPx(bar, corner)
    low = Math.min(low, price)
    high = Math.max(high, price)
  }
  return [low, high]
}

/** How many of its trades have come before an offset; they are spread evenly over the minute. */
export const tradesBefore = ({ trades }: MinuteBar, offsetMs: number): number =>
  Math.floor((trades * offsetMs) / BAR_MS)

/** The offset by which so many of its trades have come. */
export const offsetOf = ({ trades }: MinuteBar, count: number): number =>
  trades === 0 ? 0 : (count * BAR_MS) / trades

/** What its first trades are of a whole number, in whole units. */
export const shareOf = ({ trades }: MinuteBar, total: number, count: number): number =>
  trades === 0 ? 0 : Math.floor((total * count) / trades)

/** What a size of the whole minute is worth, price units times size units, by `areaBy`. */
export const worthOf = (size: number, area: number): number => Math.floor(size * area)

/** The area under the price up to an offset, in minutes: its mean, of the whole minute. */
export function areaBy(bar: MinuteBar, offsetMs: number): number {
  let area = 0
  for (let corner = 0; corner < 3; corner++) {
    const lengthMs = Math.min(offsetMs - corner * CORNER_MS, CORNER_MS)
    if (lengthMs <= 0) break
    const end = priceIn(bar, corner * CORNER_MS + lengthMs)
    area += ((cornerPx(bar, corner) + end) / 2) * (lengthMs / BAR_MS)
  }
  return area
}
