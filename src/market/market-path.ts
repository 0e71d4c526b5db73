/** What all instruments have in common: how volatile the market is, and what moves all. */
import type { RandomSource } from '../random/random-source.ts'
import { evenLevelPath, expectedFactor, type LevelPath, type RevertingPart } from './level-path.ts'

const MINUTES_PER_DAY = 1440

const MARKET_VOLATILITY: readonly RevertingPart[] = [
  { sd: 0.25, halfLife: 10 },
  { sd: 0.5, halfLife: 240 },
  { sd: 0.6, halfLife: 1400 },
  { sd: 0.12, halfLife: 14_400 },
]
/** However wild, the logarithm of the volatility comes no nearer to this; nor however calm. */
const LEVEL_MOST = 1.8
/** Of each factor. */
export const JUMPS_PER_DAY = 2.5
/**
 * In standard deviations of a usual minute, and how much smaller against its own a jump is where
 * the market is wild: news is about as large in calm hours.
 */
const JUMP = { size: 18, byVolatility: 0.5 }
const TAIL = 0.25

/** How volatile the market is, and what moves all. */
export function marketPath(minutes: number, random: RandomSource) {
  const volatility = held(evenLevelPath(MARKET_VOLATILITY, minutes, random.fork('volatility')))
  const market = shocks(volatility, JUMPS_PER_DAY, random.fork('factor all'))
  return { volatility, common: expectedFactor(volatility, 2), market }
}

/** A path of which what strays far strays less. */
function held({ level, variance }: LevelPath): LevelPath {
  return {
    level: level.map((value) => LEVEL_MOST * Math.tanh(value / LEVEL_MOST)),
    // So that the mean of the square of the volatility is what it would be (fitted).
    variance: variance.map((one) => one / (1 + (1.2 * one) / LEVEL_MOST ** 2)),
  }
}

/** Standard draws with fat tails and now and then a jump. */
export function shocks(
  { level }: LevelPath,
  jumpsPerDay: number,
  random: RandomSource,
): Float64Array {
  const [draws, widths] = [random.normals(level.length), random.normals(level.length)]
  for (let at = 0; at < draws.length; at++)
    draws[at] = (draws[at] as number) * Math.exp(TAIL * (widths[at] as number) - TAIL ** 2)
  const odds = jumpsPerDay / MINUTES_PER_DAY
  // Few minutes have one, so the way from one to the next is drawn.
  const wait = () => 1 + Math.floor(Math.log(1 - random.unit()) / Math.log(1 - odds))
  for (let at = wait() - 1; at < draws.length; at += wait()) {
    const calmer = Math.exp(-JUMP.byVolatility * (level[at] as number))
    const size = JUMP.size * (0.6 + 0.8 * random.unit()) * calmer
    draws[at] = (draws[at] as number) + (random.chance(0.5) ? size : -size)
  }
  return draws
}
