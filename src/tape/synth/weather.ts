import type { Dice } from '../../random/dice.ts'
import { fatTailed } from './draws.ts'
import { plot, type Scene } from './plot.ts'

/** The step in which the market's state moves. */
export const STEP_MS = 100

/** What all instruments share in one step. */
export interface Weather extends Scene {
  /** Return of the market as a whole over this step, logarithmic. */
  move: number
  /** Volatility against its normal; it comes in clusters. */
  heat: number
}

const STEPS_PER_S = 1000 / STEP_MS
/** Volatility of the whole market over one second, in parts of one. */
const SIGMA = 0.000055
/** Chance of a sudden jump in a step, about one in seventy seconds. */
const JUMP_ODDS = 1 / 700
const JUMP = 0.00035

/** The weather of a seed, step by step: what stands in the answer holds until the next call. */
export function weather(dice: Dice): { story: ReturnType<typeof plot>; next(): Weather } {
  const story = plot(dice.fork('plot'))
  const [shocks, jumps] = [dice.fork('shocks'), dice.fork('jumps')]
  const heat = cluster(dice.fork('heat'))
  let ms = -STEP_MS
  const next = () => {
    ms += STEP_MS
    const scene = story.sceneAt(ms)
    const level = heat.level() * (1 - 0.6 * scene.quiet) * (1 + 1.6 * scene.stress)
    const shock = fatTailed(shocks)
    let move = (level * SIGMA * shock) / Math.sqrt(STEPS_PER_S) + scene.driftPerS / STEPS_PER_S
    const jumped = jumps.chance(JUMP_ODDS * (1 - scene.quiet))
    if (jumped) move += JUMP * fatTailed(jumps)
    heat.feel(shock, jumped)
    return { ...scene, move, heat: level }
  }
  return { story, next }
}

/**
 * Volatility that clusters: two log-normal tides, one of minutes and one of seconds, and a memory
 * of recent shocks as in GARCH. Its long-run mean square is near one.
 */
export function cluster(dice: Dice) {
  let [slow, fast, memory] = [0, 0, 1]
  const [slowKeep, fastKeep, memoryKeep] = [keep(180), keep(9), keep(4)]
  return {
    level: () => Math.exp(slow + fast - 0.36) * Math.sqrt(memory),
    feel: (shock: number, jumped: boolean) => {
      slow = slowKeep * slow + Math.sqrt(1 - slowKeep ** 2) * 0.3 * dice.normal()
      fast = fastKeep * fast + Math.sqrt(1 - fastKeep ** 2) * 0.55 * dice.normal()
      memory = 0.25 + memoryKeep * (memory - 0.25) + (1 - memoryKeep) * 0.75 * shock ** 2
      if (jumped) memory += 3
    },
  }
}

/** What is left of a state after one step when it halves in so many seconds. */
function keep(halfLifeS: number): number {
  return 0.5 ** (1 / (halfLifeS * STEPS_PER_S))
}
