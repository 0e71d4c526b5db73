import type { RandomSource } from '../../random/random-source.ts'

/** A draw of Student's t with four degrees of freedom, scaled to variance one: fat tails. */
export function fatTailed(random: RandomSource): number {
  const spread = -2 * Math.log((1 - random.unit()) * (1 - random.unit()))
  return (random.normal() / Math.sqrt(spread / 4)) * Math.SQRT1_2
}

/** A draw of the exponential distribution. */
export function exponential(random: RandomSource, mean: number): number {
  return -mean * Math.log(1 - random.unit())
}

/** How often something happened that happens `mean` times on average. */
export function poisson(random: RandomSource, mean: number): number {
  const limit = Math.exp(-mean)
  let [count, product] = [0, random.unit()]
  while (product > limit) {
    count++
    product *= random.unit()
  }
  return count
}

/** A draw around `median`, its logarithm normal with deviation `sigma`. */
export function lognormal(random: RandomSource, median: number, sigma: number): number {
  return median * Math.exp(sigma * random.normal())
}

/** A whole number of lots as people type it: mostly two or three significant figures. */
export function roundLots(random: RandomSource, lots: number): number {
  const rounded = Math.max(1, Math.round(lots))
  const draw = random.unit()
  if (draw > 0.85) return rounded
  const figures = draw < 0.55 ? 2 : 3
  let step = 1
  while (rounded >= step * 10 ** figures) step *= 10
  return Math.max(1, Math.round(rounded / step) * step)
}
