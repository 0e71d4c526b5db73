/**
 * The six strategies over the history of a coin: their signals, outcomes four hours later, and
 * track records. Only the outcome of a signal depends on later events.
 */

import { later, type TapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { StrategyKey } from '../../../contract/records/signal.ts'
import { type Px, ratio, raw, subtract } from '../../../decimal/quantity.ts'
import { longShortSlices } from '../../rows/long-short-positions.ts'
import type { InstrumentRow } from '../../schema/schema.ts'
import type { World } from '../../world/world.ts'
import { closeSequence } from './alert-rules.ts'
import { type QuarterHour, quarterHoursOf, STEP_MS } from './quarter-hours.ts'

export interface StrategySignal {
  timeMs: TapeMs
  side: 'buy' | 'sell'
  px: Px
  advice: Advice
  /** When its outcome is known. */
  settledMs: TapeMs
  hasWon: boolean
}

/** Fractions; `won` is the share among earlier settled signals. */
interface Advice {
  capital: number
  won: number
  gain: number
  loss: number
}

/** Steps after which a signal is settled: four hours. */
const HORIZON = 16

/** All signals of the world, oldest first. */
export function* strategySignalsOf(
  world: World,
  moment: Moment,
  of: InstrumentRow,
  key: StrategyKey,
): Slices<StrategySignal[]> {
  const steps = yield* quarterHoursOf(world, moment, of)
  const rule = STRATEGY_RULES[key]
  const sides = rule ? rule(steps) : yield* contrarianSides(steps, world, of)
  yield
  const signals: StrategySignal[] = []
  const trackRecord = new TrackRecord()
  let open = 0
  sides.forEach((side, at) => {
    if (side === null || side === sides[at - 1]) return
    const { endMs, close: px } = steps[at] as QuarterHour
    for (; open < signals.length && (signals[open] as StrategySignal).settledMs <= endMs; open++)
      trackRecord.add(signals[open] as StrategySignal, steps)
    const { close } = steps[Math.min(at + HORIZON, steps.length - 1)] as QuarterHour
    signals.push({
      timeMs: endMs,
      side,
      px,
      advice: trackRecord.advice(),
      settledMs: later(endMs, HORIZON * STEP_MS),
      hasWon: side === 'buy' ? close > px : close < px,
    })
  })
  return signals
}

type SignalSide = 'buy' | 'sell' | null
type StrategyRule = (steps: readonly QuarterHour[]) => SignalSide[]

/** Buys from the upper limit on, sells from the lower one down. */
const sideBeyond = (part: number, low: number, high: number): SignalSide =>
  part >= high ? 'buy' : part <= low ? 'sell' : null

/** Share of bids among the open orders; a half while there are none. */
const bidPart = (bids: number, asks: number) => (bids + asks === 0 ? 0.5 : bids / (bids + asks))

const valuePart = ({ bids, asks }: QuarterHour) => bidPart(raw(bids.value), raw(asks.value))

/** Limits are those of books, which lean little. null for the strategy that counts accounts. */
const STRATEGY_RULES: Record<StrategyKey, StrategyRule | null> = {
  depth_win_one: (steps) => steps.map((step) => sideBeyond(valuePart(step), 0.4, 0.6)),
  depth_win_two: (steps) =>
    steps.map(({ bids, asks }) => sideBeyond(bidPart(bids.count, asks.count), 0.45, 0.55)),
  depth_buy_one: (steps) => steps.map((step) => sideBeyond(valuePart(step), -1, 0.65)),
  order_buy_one: (steps) => steps.map((_, at) => takerSide(steps, at)),
  td_buy_one: (steps) =>
    closeSequence(
      steps.map(({ close }) => raw(close)),
      -1,
    ).map((count) => (count === 9 ? 'buy' : null)),
  lsur_one: null,
}

/** Steps that define the usual level: six hours. */
const USUAL = 24

/** Side of takers with most of an unusually high turnover. */
function takerSide(steps: readonly QuarterHour[], at: number): SignalSide {
  const step = steps[at] as QuarterHour
  const [amount, bought] = [raw(step.amount), raw(step.bought)]
  const before = steps.slice(Math.max(0, at - USUAL), at)
  const usual = before.reduce((sum, one) => sum + raw(one.amount), 0) / Math.max(before.length, 1)
  return amount > 1.25 * usual && bought > 0.55 * amount && before.length === USUAL ? 'buy' : null
}

/** Steps per hour: accounts are counted hourly. */
const HOURLY = 4

/** Against the crowd, where nearly all accounts are on one side. */
function* contrarianSides(
  steps: readonly QuarterHour[],
  world: World,
  of: InstrumentRow,
): Slices<SignalSide[]> {
  const whole = steps.filter((_, at) => at % HOURLY === 0)
  const instants = whole.map(({ endMs }) => later(endMs, 1))
  const counted = yield* longShortSlices(world, of, instants)
  const sides = counted.map(({ longs, shorts }) => {
    const side = sideBeyond(bidPart(longs.accounts, shorts.accounts), 0.4, 0.6)
    return side === null ? null : side === 'buy' ? 'sell' : 'buy'
  })
  return steps.map((_, at) => sides[Math.floor(at / HOURLY)] as SignalSide)
}

/** Minimum number of signals for a track record, and the share of capital until then. */
const FEW = 10
const UNTRIED_CAPITAL = 0.1

/** Outcomes of earlier signals. */
class TrackRecord {
  private count = 0
  private won = 0
  private best = 0
  private worst = 0

  add({ timeMs, side, px, hasWon }: StrategySignal, steps: readonly QuarterHour[]): void {
    const from = Math.round((timeMs - (steps[0] as QuarterHour).endMs) / STEP_MS)
    const moves = steps
      .slice(from + 1, from + 1 + HORIZON)
      .map(({ close }) => ratio(subtract(close, px), px) * (side === 'buy' ? 1 : -1))
    this.count++
    this.won += hasWon ? 1 : 0
    this.best += Math.max(0, ...moves)
    this.worst += Math.max(0, ...moves.map((move) => -move))
  }

  /** Half of the Kelly fraction, from 1 to 50 %; 10 % without a track record. */
  advice(): Advice {
    if (this.count === 0) return { capital: UNTRIED_CAPITAL, won: 0, gain: 0.02, loss: 0.01 }
    const won = this.won / this.count
    const [gain, loss] = [this.best / this.count, this.worst / this.count]
    const kelly = gain === 0 ? 0 : won - ((1 - won) * loss) / gain
    const capital = this.count < FEW ? UNTRIED_CAPITAL : Math.min(Math.max(kelly / 2, 0.01), 0.5)
    return { capital, won, gain, loss }
  }
}
