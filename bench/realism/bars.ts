/** Candles as numbers. */

export interface Bar {
  /** Start. */
  timeMs: number
  open: number
  high: number
  low: number
  close: number
  /** In units of the coin. */
  volume: number
  trades: number
}

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Merges bars, oldest first, into longer ones that begin at whole multiples of `lengthMs`. */
export function merged(bars: readonly Bar[], lengthMs: number): Bar[] {
  const longer: Bar[] = []
  for (const bar of bars) {
    const timeMs = Math.floor(bar.timeMs / lengthMs) * lengthMs
    const last = longer.at(-1)
    if (last?.timeMs === timeMs) add(last, bar)
    else longer.push(copyAt(bar, timeMs))
  }
  return longer
}

const copyAt = ({ open, high, low, close, volume, trades }: Bar, timeMs: number): Bar => ({
  timeMs,
  open,
  high,
  low,
  close,
  volume,
  trades,
})

function add(longer: Bar, bar: Bar): void {
  longer.high = Math.max(longer.high, bar.high)
  longer.low = Math.min(longer.low, bar.low)
  longer.close = bar.close
  longer.volume += bar.volume
  longer.trades += bar.trades
}

/** Logarithmic return of each bar, from close to close; the first from its open. */
export function returnsOf(bars: readonly Bar[]): number[] {
  return bars.map((bar, at) => Math.log(bar.close / (bars[at - 1]?.close ?? bar.open)))
}

/** Turnover in dollars, at the middle of the bar. */
export const dollarsOf = ({ open, close, volume }: Bar): number => (volume * (open + close)) / 2

/** Bars of two series with the same start. */
export function matching(some: readonly Bar[], others: readonly Bar[]): [Bar[], Bar[]] {
  const byTime = new Map(others.map((bar) => [bar.timeMs, bar]))
  const shared = some.filter(({ timeMs }) => byTime.has(timeMs))
  return [shared, shared.map(({ timeMs }) => byTime.get(timeMs) as Bar)]
}
