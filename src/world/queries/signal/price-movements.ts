/** Types of change that are seen in bars of five minutes, each of which closes on one. */

import type { ChangeType } from '../../../contract/records/signal.ts'
import { type Px, raw, subtract, ZERO } from '../../../decimal/quantity.ts'
import type { PriceBar } from './price-bars.ts'

export const BAR_MS = 300_000
const HOUR = 12
const DAY = 24 * HOUR
/** Bars that a rule may look back over. */
export const LOOK_BACK = DAY + 2
/** Bars that define what is usual: four hours. */
const USUAL = 4 * HOUR

/** The bars of a pair, and where the shown day began. */
export interface DayBars {
  bars: readonly PriceBar[]
  /** For each bar the price at which its shown day began; null where that is not known. */
  dayOpens: readonly (Px | null)[]
}

export type PriceMovement = Exclude<ChangeType, '11' | '12' | '23' | '24'>

/** Places of the bars, from `first` on, at which a type of change occurs. */
export function priceMovements(type: PriceMovement, dayBars: DayBars, first: number): number[] {
  const rule = RULES[type](dayBars)
  const found: number[] = []
  // A condition that stays true fires once.
  let was = first > 0 && rule(first - 1)
  for (let at = first; at < dayBars.bars.length; at++) {
    const is = rule(at)
    if (is && !was) found.push(at)
    was = is
  }
  return found
}

type MovementRule = (at: number) => boolean

const RULES: Record<PriceMovement, (dayBars: DayBars) => MovementRule> = {
  1: breakout(1),
  2: breakout(-1),
  3: ofDay(1),
  4: ofDay(-1),
  5: reversal(1),
  6: reversal(-1),
  7: extreme(1),
  8: extreme(-1),
  9: sudden(1),
  10: sudden(-1),
  17: takerFlow(1),
  18: takerFlow(-1),
}

type Sign = 1 | -1

/** Beyond everything of four hours, on twice the usual turnover. */
function breakout(sign: Sign) {
  return ({ bars }: DayBars): MovementRule =>
    (at) => {
      const amount = raw((bars[at] as PriceBar).amount)
      return isBeyond(bars, at, USUAL, sign) && amount > 0 && amount >= 2 * usualAmount(bars, at)
    }
}

/** At least so far from where the shown day began. */
const DAY_PART = 0.015

function ofDay(sign: Sign) {
  return ({ bars, dayOpens }: DayBars): MovementRule =>
    (at) => {
      const open = dayOpens[at] ?? null
      return open !== null && relativeMove(open, closeOf(bars, at), sign) >= DAY_PART
    }
}

/** Within an hour so far one way, then within a quarter of an hour half of it back. */
function reversal(sign: Sign) {
  return ({ bars }: DayBars): MovementRule =>
    (at) => {
      const far = 2 * unusualMove(bars, at)
      const turn = at - 3
      if (turn < HOUR) return false
      const back = relativeMove(closeOf(bars, turn), closeOf(bars, at), sign)
      return (
        back >= far / 2 &&
        relativeMove(closeOf(bars, turn - HOUR), closeOf(bars, turn), sign) <= -far
      )
    }
}

/** Beyond everything of a day. */
function extreme(sign: Sign) {
  return ({ bars }: DayBars): MovementRule =>
    (at) =>
      isBeyond(bars, at, DAY, sign)
}

/** Several times the usual movement within one bar. */
function sudden(sign: Sign) {
  return ({ bars }: DayBars): MovementRule =>
    (at) =>
      at > 0 &&
      relativeMove(closeOf(bars, at - 1), closeOf(bars, at), sign) >= unusualMove(bars, at)
}

/** Part of the price that is unusually much within a bar. */
function unusualMove(bars: readonly PriceBar[], at: number): number {
  const from = Math.max(1, at - USUAL)
  let sum = 0
  for (let one = from; one < at; one++)
    sum += Math.abs(relativeMove(closeOf(bars, one - 1), closeOf(bars, one), 1))
  return Math.max(4 * (sum / Math.max(at - from, 1)), LEAST_PART)
}

/** Less is never sudden. */
const LEAST_PART = 0.002

/** What takers bought less what they sold is as much as is usually traded. */
function takerFlow(sign: Sign) {
  return ({ bars }: DayBars): MovementRule =>
    (at) => {
      const { amount, bought } = bars[at] as PriceBar
      const usual = usualAmount(bars, at)
      return usual > 0 && sign * (2 * raw(bought) - raw(amount)) >= usual
    }
}

const closeOf = (bars: readonly PriceBar[], at: number) => (bars[at] as PriceBar).close

/** By which part of the price. */
const relativeMove = (from: Px, to: Px, sign: Sign) =>
  from === ZERO ? 0 : (sign * raw(subtract(to, from))) / raw(from)

/** Whether a close lies beyond the highest (lowest for -1) of so many bars before it. */
function isBeyond(bars: readonly PriceBar[], at: number, count: number, sign: Sign): boolean {
  if (at < count) return false
  const { close } = bars[at] as PriceBar
  for (let one = at - count; one < at; one++) {
    const { high, low } = bars[one] as PriceBar
    if (sign === 1 ? high >= close : low <= close) return false
  }
  return true
}

function usualAmount(bars: readonly PriceBar[], at: number): number {
  const from = Math.max(0, at - USUAL)
  let sum = 0
  for (let one = from; one < at; one++) sum += raw((bars[one] as PriceBar).amount)
  return sum / Math.max(at - from, 1)
}
