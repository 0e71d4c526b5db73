/**
 * The six strategies over the history of a coin: what each takes for a signal, what came of it four
 * hours later, and what the earlier ones teach. Nothing of a signal but its outcome depends on what
 * came after it.
 */
import type { Moment } from '../../../contract/facts.ts'
import type { StrategyKey } from '../../../contract/records/signal.ts'
import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { crowdsAt } from '../indicators/crowd.ts'
import { sequence } from './averages.ts'
import { STEP_MS, type Step, stepsOf } from './steps.ts'

export interface Signal {
  timeMs: number
  side: 'buy' | 'sell'
  /** Price units. */
  px: number
  advice: Advice
  /** When it is known what came of it. */
  settledMs: number
  hasWon: boolean
}

/** Parts of one; `won` is that of the earlier signals that were settled. */
interface Advice {
  capital: number
  won: number
  gain: number
  loss: number
}

/** Steps after which a signal is settled: four hours. */
const HORIZON = 16

/** All signals of the story, oldest first. */
export function signalsOf(
  world: World,
  moment: Moment,
  of: InstrumentRow,
  key: StrategyKey,
): Signal[] {
  const steps = stepsOf(world, moment, of)
  const sides = SIDES[key](steps, world, of)
  const signals: Signal[] = []
  const lessons = new Lessons()
  let open = 0
  sides.forEach((side, at) => {
    if (side === null || side === sides[at - 1]) return
    const { endMs, close: px } = steps[at] as Step
    for (; open < signals.length && (signals[open] as Signal).settledMs <= endMs; open++)
      lessons.learn(signals[open] as Signal, steps)
    const later = steps[Math.min(at + HORIZON, steps.length - 1)] as Step
    signals.push({
      timeMs: endMs,
      side,
      px,
      advice: lessons.advice(),
      settledMs: endMs + HORIZON * STEP_MS,
      hasWon: side === 'buy' ? later.close > px : later.close < px,
    })
  })
  return signals
}

type Side = 'buy' | 'sell' | null
type Strategy = (steps: readonly Step[], world: World, of: InstrumentRow) => Side[]

/** Buy from the upper limit on, sell from the lower one down. */
const beyond = (part: number, low: number, high: number): Side =>
  part >= high ? 'buy' : part <= low ? 'sell' : null

/** Part of the bids among the open orders; in the middle while there are none. */
const partOf = (bids: number, asks: number) => (bids + asks === 0 ? 0.5 : bids / (bids + asks))

const SIDES: Record<StrategyKey, Strategy> = {
  depth_win_one: (steps) =>
    steps.map(({ bids, asks }) => beyond(partOf(bids.value, asks.value), 0.25, 0.75)),
  depth_win_two: (steps) =>
    steps.map(({ bids, asks }) => beyond(partOf(bids.count, asks.count), 0.3, 0.7)),
  depth_buy_one: (steps) =>
    steps.map(({ bids, asks }) => beyond(partOf(bids.value, asks.value), -1, 0.9)),
  order_buy_one: (steps) => steps.map((_, at) => ordersOf(steps, at)),
  td_buy_one: (steps) =>
    sequence(
      steps.map(({ close }) => close),
      -1,
    ).map((count) => (count === 9 ? 'buy' : null)),
  lsur_one: (steps, world, of) => crowdOf(steps, world, of),
}

/** Steps that tell what is usual: six hours. */
const USUAL = 24

/** Takers bought nearly all of an unusually high turnover. */
function ordersOf(steps: readonly Step[], at: number): Side {
  const { amount, bought } = steps[at] as Step
  const before = steps.slice(Math.max(0, at - USUAL), at)
  const usual = before.reduce((sum, step) => sum + step.amount, 0) / Math.max(before.length, 1)
  return amount > 2 * usual && bought > 0.75 * amount && before.length === USUAL ? 'buy' : null
}

/** An hour has so many steps: accounts are counted that often. */
const HOURLY = 4

/** Against the crowd, where nearly all accounts stand on one side. */
function crowdOf(steps: readonly Step[], world: World, of: InstrumentRow): Side[] {
  const whole = steps.filter((_, at) => at % HOURLY === 0)
  const instants = whole.map(({ endMs }) => endMs + 1)
  const sides = crowdsAt(world, of, instants).map(({ longs, shorts }) => {
    const side = beyond(partOf(longs.accounts, shorts.accounts), 0.4, 0.6)
    return side === null ? null : side === 'buy' ? 'sell' : 'buy'
  })
  return steps.map((_, at) => sides[Math.floor(at / HOURLY)] as Side)
}

/** Signals that teach little, and the part of the capital until then. */
const FEW = 10
const UNTRIED = 0.1

/** What earlier signals came to. */
class Lessons {
  private count = 0
  private won = 0
  private best = 0
  private worst = 0

  learn({ timeMs, side, px, hasWon }: Signal, steps: readonly Step[]): void {
    const from = Math.round((timeMs - (steps[0] as Step).endMs) / STEP_MS)
    const moves = steps
      .slice(from + 1, from + 1 + HORIZON)
      .map(({ close }) => ((close - px) / px) * (side === 'buy' ? 1 : -1))
    this.count++
    this.won += hasWon ? 1 : 0
    this.best += Math.max(0, ...moves)
    this.worst += Math.max(0, ...moves.map((move) => -move))
  }

  /** Half of what Kelly's rule would put in, from 1 to 50 %; 10 % while little is known. */
  advice(): Advice {
    if (this.count === 0) return { capital: UNTRIED, won: 0, gain: 0.02, loss: 0.01 }
    const won = this.won / this.count
    const [gain, loss] = [this.best / this.count, this.worst / this.count]
    const kelly = gain === 0 ? 0 : won - ((1 - won) * loss) / gain
    const capital = this.count < FEW ? UNTRIED : Math.min(Math.max(kelly / 2, 0.01), 0.5)
    return { capital, won, gain, loss }
  }
}
