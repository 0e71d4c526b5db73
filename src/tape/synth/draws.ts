import type { Dice } from '../../random/dice.ts'

/** A draw of Student's t with four degrees of freedom, scaled to variance one: fat tails. */
export function fatTailed(dice: Dice): number {
  const spread = -2 * Math.log((1 - dice.unit()) * (1 - dice.unit()))
  return (dice.normal() / Math.sqrt(spread / 4)) * Math.SQRT1_2
}

/** A draw of the exponential distribution. */
export function exponential(dice: Dice, mean: number): number {
  return -mean * Math.log(1 - dice.unit())
}

/** How often something happened that happens `mean` times on average. */
export function poisson(dice: Dice, mean: number): number {
  const limit = Math.exp(-mean)
  let [count, product] = [0, dice.unit()]
  while (product > limit) {
    count++
    product *= dice.unit()
  }
  return count
}

/** A draw around `median`, its logarithm normal with deviation `sigma`. */
export function lognormal(dice: Dice, median: number, sigma: number): number {
  return median * Math.exp(sigma * dice.normal())
}

/** A whole number of lots as people type it: mostly two or three significant figures. */
export function neat(dice: Dice, lots: number): number {
  const whole = Math.max(1, Math.round(lots))
  const throwOf = dice.unit()
  if (throwOf > 0.85) return whole
  const keep = throwOf < 0.55 ? 2 : 3
  const step = 10 ** Math.max(0, String(whole).length - keep)
  return Math.max(1, Math.round(whole / step) * step)
}
