/** One coin over a span of time: before the tape, on it, or after it. */
import type { Facts } from '../../../src/contract/facts.ts'
import type { Bar } from '../bars.ts'
import type { Closings, Reading } from '../observations.ts'
import { hourlyOpenInterest, minutesOf } from './candles.ts'
import { closingsOf, closingsOfPair } from './closings.ts'
import { fundingOf } from './funding.ts'
import { otherPairOf } from './pairs.ts'

/** A coin's market from `fromMs` to `toMs`. Lists are oldest first. */
export interface SpanOfCoin {
  fromMs: number
  toMs: number
  minutes: readonly Bar[]
  /** Hourly rates. */
  funding: readonly Reading[]
  /** Open interest at the end of each hour, in units of the coin. */
  interest: readonly Reading[]
  /** Liquidations by half hours, here and on the other exchange with the most turnover. */
  closings: readonly Closings[]
  closingsElsewhere: readonly Closings[]
}

/** Reads a coin between two instants; `facts` are those of the end of the span or later. */
export function spanOfCoin(facts: Facts, coin: string, fromMs: number, toMs: number): SpanOfCoin {
  const within = <T extends { timeMs: number }>(list: readonly T[]) =>
    list.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
  const other = otherPairOf(facts, coin)
  return {
    fromMs,
    toMs,
    minutes: within(minutesOf(facts, coin, fromMs)),
    funding: within(fundingOf(facts, coin, fromMs)),
    interest: within(hourlyOpenInterest(facts, coin)),
    closings: within(closingsOf(facts, coin, fromMs)),
    closingsElsewhere: other === null ? [] : within(closingsOfPair(facts, other, fromMs)),
  }
}
