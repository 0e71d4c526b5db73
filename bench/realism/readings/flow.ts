import type { Facts } from '../../../src/contract/facts.ts'
import type { Timeline } from '../../../src/contract/timeline.ts'
import type { BookTop, Observations, Print, Reading } from '../observations.ts'
import { ownPairOf } from './pairs.ts'

/** Number of most traded coins: reading books takes time. */
const COINS = 2
/** Distance within which depth counts, and the interval of samples. */
const NEAR = 2e-4
const DEPTH_STEP_MS = 10_000

/** Trades and books of the tape, in order of playback. */
export function flowOf(
  timeline: Timeline,
  coins: readonly string[],
  at: (ms: number) => Facts,
): Pick<Observations, 'prints' | 'tops' | 'near'> {
  const read = coins.slice(0, COINS)
  const prints = new Map<string, Print[]>(read.map((coin) => [coin, []]))
  const tops = new Map<string, BookTop[]>(read.map((coin) => [coin, []]))
  for (const event of eventsOf(timeline))
    if (event.kind === 'trade')
      for (const { px, sz, side, time } of event.trades)
        prints
          .get(event.coin)
          ?.push({ timeMs: time, px: Number(px), sz: Number(sz), isBuy: side === 'B' })
    else if (event.kind === 'book' && tops.has(event.coin))
      tops.get(event.coin)?.push(...topAt(at(event.timeMs), event.coin))
  const near = new Map(read.map((coin) => [coin, depthOf(timeline, coin, at)]))
  return { prints, tops, near }
}

function* eventsOf({ startMs, endMs, chunkMs, chunk }: Timeline) {
  for (let index = 0; startMs + index * chunkMs <= endMs; index++) yield* chunk(index)
}

function topAt(facts: Facts, coin: string): BookTop[] {
  const book = facts.books.l2({ coin })
  const [bid, ask] = book?.levels.map(([best]) => Number(best?.px)) ?? []
  if (!book || !bid || !ask) return []
  return [{ timeMs: book.time, bid, ask }]
}

function depthOf({ startMs, endMs }: Timeline, coin: string, at: (ms: number) => Facts) {
  const readings: Reading[] = []
  for (let timeMs = startMs + DEPTH_STEP_MS; timeMs <= endMs; timeMs += DEPTH_STEP_MS) {
    const facts = at(timeMs)
    const depth = facts.futures.fullDepth(ownPairOf(facts, coin))
    const [bid, ask] = [Number(depth?.bids[0]?.[0]), Number(depth?.asks[0]?.[0])]
    if (!depth || !(bid > 0 && ask > 0)) continue
    const middle = (bid + ask) / 2
    const value = [...depth.bids, ...depth.asks]
      .filter(([px]) => Math.abs(Number(px) / middle - 1) <= NEAR)
      .reduce((sum, [px, sz]) => sum + Number(px) * Number(sz), 0)
    readings.push({ timeMs, value })
  }
  return readings
}
