import { randomSource } from '../../../random/random-source.ts'
import type { MarketEvent, TimedMarketEvent } from '../../events/market-event.ts'
import type { TakerSide } from '../synth-event.ts'

/** A market order that an event brings about. */
export interface ForcedOrder {
  atMs: number
  side: TakerSide
  usd: number
  /** Side of the position that it liquidates; null for an order of somebody who wants it. */
  liquidates: 'long' | 'short' | null
  /** What its trades are marked with: below 0, as orders from outside are not. */
  tag: number
}

type EventOf<K> = Extract<MarketEvent, { kind: K }>

/** Time between two parts of an order that is worked, as the venue's TWAPs have it. */
const PART_MS = 30_000
const PARTS_LEAST = 5
/** A cascade that is told takes so long unless it says. */
const CASCADE_S = 60
/** Mean size of a position that is liquidated, in levels of the book, and how many there are. */
const POSITION_LEVELS = 0.6
const POSITIONS = { least: 6, most: 240 }
/** Sizes differ by a power law. */
const TAIL_EXPONENT = 1.3

/** The orders of an event, in order of time; `nth` is its place among all of them. */
export function forcedOrders(
  { event, fromMs }: TimedMarketEvent,
  nth: number,
  levelUsd: number,
): ForcedOrder[] {
  if (event.kind === 'whale') return whaleOrders(event, fromMs, -1 - nth)
  if (event.kind === 'liquidations') return closings(event, fromMs, -1 - nth, levelUsd)
  return []
}

function whaleOrders(event: EventOf<'whale'>, fromMs: number, tag: number): ForcedOrder[] {
  const { usd, overS } = event
  const side: TakerSide = event.side === 'buy' ? 'B' : 'A'
  const lengthMs = (overS ?? 0) * 1000
  const parts = overS === undefined ? 1 : Math.max(PARTS_LEAST, Math.floor(lengthMs / PART_MS))
  return Array.from({ length: parts }, (_, part) => {
    // What is asked for at an instant comes after what happens at it.
    const atMs = fromMs + 1 + Math.floor((lengthMs * part) / parts)
    return { atMs, side, usd: usd / parts, liquidates: null, tag }
  })
}

/** How many positions are closed for so much in all, and how large they are on average. */
export function closingsOf(usd: number, levelUsd: number): { count: number; usd: number } {
  const { least, most } = POSITIONS
  const count = Math.max(least, Math.min(most, Math.round(usd / (POSITION_LEVELS * levelUsd))))
  return { count, usd: usd / count }
}

/** More and more positions, and at the end fewer again. */
function closings(
  { coin, side: position, usd, overS = CASCADE_S }: EventOf<'liquidations'>,
  fromMs: number,
  tag: number,
  levelUsd: number,
): ForcedOrder[] {
  const random = randomSource(`${coin}/${position}/${usd}/${fromMs}`, 'liquidations')
  const { count } = closingsOf(usd, levelUsd)
  const sizes = Array.from({ length: count }, () => (1 - random.unit()) ** (-1 / TAIL_EXPONENT))
  const sum = sizes.reduce((total, size) => total + size, 0)
  const side: TakerSide = position === 'long' ? 'A' : 'B'
  return sizes
    .map((size) => {
      const part = (random.unit() + random.unit()) / 2
      const atMs = fromMs + Math.floor(part * overS * 1000)
      return { atMs, side, usd: (usd * size) / sum, liquidates: position, tag }
    })
    .sort((a, b) => a.atMs - b.atMs)
}
