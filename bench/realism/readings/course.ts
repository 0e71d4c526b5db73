/** The course of a coin through an event, on the venue and on every other exchange. */
import { runToEnd } from '../../../src/clock/turns.ts'
import type { Facts } from '../../../src/contract/facts.ts'
import { MINUTE_MS } from '../bars.ts'
import type { Closings, Reading } from '../observations.ts'
import { closingsOfPair } from './closings.ts'
import { perpetualPairsOf } from './pairs.ts'

/** A coin on one exchange, minute by minute. */
export interface CourseOfPair {
  /** Key of the exchange. */
  exchange: string
  /** Closes of minutes. */
  prices: readonly Reading[]
  closings: readonly Closings[]
  /** Open interest in units of the coin. */
  interest: readonly Reading[]
}

/** The venue's book at an instant: its spread in basis points, and value within 0.5 %, dollars. */
export interface BookOfCourse {
  timeMs: number
  spread: number
  depth: number
}

/** Reads all pairs of a coin from `fromMs` to the present of the facts. */
export function courseOf(facts: Facts, coin: string, fromMs: number): CourseOfPair[] {
  return perpetualPairsOf(facts, coin).map((symbol) => {
    const size = Math.ceil((facts.moment.atMs - fromMs) / MINUTE_MS)
    const sinceS = Math.floor(facts.moment.atMs / 1000)
    const query = { symbol, periodS: 60, size, openHour: 0, sinceS } as const
    const since = <T extends { timeMs: number }>(list: readonly T[]) =>
      list.filter(({ timeMs }) => timeMs >= fromMs && timeMs < facts.moment.atMs)
    const bars = runToEnd(facts.indicator.klines(query)) ?? []
    const interest = runToEnd(facts.indicator.records({ key: 'position', ...query })) ?? []
    return {
      exchange: symbol.slice(symbol.indexOf(':') + 1),
      prices: since(bars.map(([time, , , , close]) => reading(time, close ?? Number.NaN))),
      closings: since(closingsOfPair(facts, symbol, fromMs, '1m')),
      interest: since(
        interest.map(({ time, close }) => reading(time ?? Number.NaN, close ?? Number.NaN)),
      ),
    }
  })
}

const reading = (timeS: number | string, value: number | string): Reading => ({
  timeMs: Number(timeS) * 1000,
  value: Number(value),
})

/** Part of the price within which the depth of a book counts. */
const NEAR = 0.005

/** The venue's book of a coin at the instant of the facts; null without both sides. */
export function bookOfCourse(facts: Facts, coin: string): BookOfCourse | null {
  const own = perpetualPairsOf(facts, coin).find((symbol) => symbol.endsWith(':hl')) ?? ''
  const book = facts.futures.fullDepth(own)
  const [ask, bid] = [Number(book?.asks[0]?.[0]), Number(book?.bids[0]?.[0])]
  if (!book || !Number.isFinite(ask - bid)) return null
  const middle = (ask + bid) / 2
  const depth = [...book.bids, ...book.asks].reduce((sum, [px, sz]) => {
    const isNear = Math.abs(Number(px) / middle - 1) <= NEAR
    return isNear ? sum + Number(px) * Number(sz) : sum
  }, 0)
  return { timeMs: facts.moment.atMs, spread: (1e4 * (ask - bid)) / middle, depth }
}
