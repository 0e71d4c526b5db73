import { BAR_MS, CORNER_MS, type MinuteBar } from './minute-bar.ts'

/** Bars of an instrument, oldest first, a column each. Units as in `MinuteBar`. */
export interface BarColumns {
  open: Float64Array
  high: Float64Array
  low: Float64Array
  close: Float64Array
  /** 1 where the high came before the low. */
  highFirst: Uint8Array
  /** What takers bought and sold. */
  bought: Float64Array
  sold: Float64Array
  trades: Float64Array
}

/** So many minutes in which nothing is known yet. */
export const emptyBars = (minutes: number) => barsIn(minutes, (bytes) => new ArrayBuffer(bytes))

/** The same in memory that goes to another thread without being copied. */
export const sharedBars = (minutes: number) =>
  barsIn(minutes, (bytes) => new SharedArrayBuffer(bytes))

function barsIn(minutes: number, buffer: (bytes: number) => ArrayBufferLike): BarColumns {
  const column = () => new Float64Array(buffer(minutes * Float64Array.BYTES_PER_ELEMENT))
  return {
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    highFirst: new Uint8Array(buffer(minutes)),
    bought: column(),
    sold: column(),
    trades: column(),
  }
}

/** The bar at a place. */
export function barAt(bars: BarColumns, at: number): MinuteBar {
  return {
    open: bars.open[at] as number,
    high: bars.high[at] as number,
    low: bars.low[at] as number,
    close: bars.close[at] as number,
    highFirst: bars.highFirst[at] === 1,
    bought: bars.bought[at] as number,
    sold: bars.sold[at] as number,
    trades: bars.trades[at] as number,
  }
}

/** The mean price of the whole bar at a place: its `areaBy` the end, to the last bit. */
export function meanPxAt(bars: BarColumns, at: number): number {
  const [high, low] = [bars.high[at] as number, bars.low[at] as number]
  const highFirst = bars.highFirst[at] === 1
  const [second, third] = highFirst ? [high, low] : [low, high]
  const [first, last] = [bars.open[at] as number, bars.close[at] as number]
  let area = ((first + second) / 2) * CORNER_PART
  area += ((second + third) / 2) * CORNER_PART
  return area + ((third + last) / 2) * CORNER_PART
}

/** As a quotient, so that it is rounded as `areaBy` does. */
const CORNER_PART = CORNER_MS / BAR_MS
