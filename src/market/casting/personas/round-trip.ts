import type { Sz } from '../../../decimal/quantity.ts'
import type { MarketPast } from '../history/past.ts'
import type { PersonaDesk } from './persona-desk.ts'
import type { PlannedOrder } from './persona-trader.ts'

/** A position that is opened and closed again, the outcome being known beforehand. */
export interface RoundTrip {
  past: MarketPast
  openMs: number
  /** When it may be closed. */
  closings: readonly number[]
  sz: Sz
  wins: boolean
}

/** Gains are let run so far, losses are cut as near to this as they can be. */
const GAIN_MIN = 0.004
const LOSS_MIN = 0.0015

/** The two orders of a round trip, of which one goes the right way or the wrong one. */
export function roundTripOrders(
  desk: PersonaDesk,
  { past, openMs, closings, sz, wins }: RoundTrip,
): PlannedOrder[] {
  const moves = closings
    .map((timeMs) => ({ timeMs, move: desk.move(past, openMs, timeMs) }))
    .sort((a, b) => Math.abs(a.move) - Math.abs(b.move))
  const least = wins ? GAIN_MIN : LOSS_MIN
  const close = moves.find(({ move }) => Math.abs(move) >= least) ?? moves.at(-1)
  if (!close) return []
  const buys = close.move > 0 === wins
  return [
    { past, timeMs: openMs, side: buys ? 'B' : 'A', sz },
    { past, timeMs: close.timeMs, side: buys ? 'A' : 'B', sz },
  ]
}
