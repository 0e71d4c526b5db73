/**
 * Of some paths that chance gives, the most usual one. What is measured of a month strays: the
 * autocorrelations of its hours by a third of themselves, so that a month in two is like none that
 * was recorded over years.
 */

/** What hourly returns of real markets have, and how far a month strays from it. */
const USUAL = { kurtosis: 9, spread: 0.3 }
const PERSISTENCE = [
  { lag: 1, usual: 0.24, spread: 0.05 },
  { lag: 6, usual: 0.14, spread: 0.035 },
  { lag: 24, usual: 0.09, spread: 0.035 },
]
const HOUR = 60

/** The path whose hours are the most usual; `returns` are those of its minutes. */
export function mostUsual<T>(paths: readonly T[], returns: (path: T) => Float64Array): T {
  const strangeness = paths.map((path) => strangenessOf(hourly(returns(path))))
  // Of a few hours nothing can be said: the first one is as good as any.
  return paths[Math.max(0, strangeness.indexOf(Math.min(...strangeness)))] as T
}

function hourly(returns: Float64Array): Float64Array {
  const hours = new Float64Array(Math.floor(returns.length / HOUR))
  for (let at = 0; at < hours.length * HOUR; at++)
    hours[Math.floor(at / HOUR)] =
      (hours[Math.floor(at / HOUR)] as number) + (returns[at] as number)
  return hours
}

/** How far it is from the usual, in what a month strays. */
function strangenessOf(hours: Float64Array): number {
  const sizes = hours.map(Math.abs)
  const mean = sizes.reduce((sum, one) => sum + one, 0) / sizes.length
  let [square, fourth, variance] = [0, 0, 0]
  for (const size of sizes) {
    square += size ** 2 / sizes.length
    fourth += size ** 4 / sizes.length
    variance += (size - mean) ** 2
  }
  let sum = (Math.log(fourth / square ** 2 / USUAL.kurtosis) / USUAL.spread) ** 2
  for (const { lag, usual, spread } of PERSISTENCE) {
    let product = 0
    for (let at = lag; at < sizes.length; at++)
      product += ((sizes[at] as number) - mean) * ((sizes[at - lag] as number) - mean)
    sum += ((product / variance - usual) / spread) ** 2
  }
  return sum
}
