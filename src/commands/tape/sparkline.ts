const BARS = '▁▂▃▄▅▆▇█'

/** Values as a row of bars between the lowest and the highest; a space where there is none. */
export function sparkline(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null)
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const step = (high - low) / (BARS.length - 1)
  const bar = (value: number) => BARS[step > 0 ? Math.round((value - low) / step) : 0]
  return values.map((value) => (value === null ? ' ' : bar(value))).join('')
}
