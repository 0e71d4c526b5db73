/** A market event that a sandbox was told, and how far it has come. */
import { eventText } from '../../market/events/conflicts.ts'
import { eventEndMs, type TimedMarketEvent } from '../../market/events/market-event.ts'

export interface AskedEvent {
  /** From 1, in the order in which they were asked for. */
  id: number
  timed: TimedMarketEvent
  /** The scenario that has it in its list; null when a call asked for it. */
  scenario: string | null
}

/** `planned` before it begins, `done` when it has ended. */
export type EventState = 'planned' | 'acting' | 'done'

/** How far an event has come at an instant of the tape. */
export function eventStateAt({ timed }: AskedEvent, atMs: number): EventState {
  if (atMs < timed.fromMs) return 'planned'
  return atMs < eventEndMs(timed) ? 'acting' : 'done'
}

/** `market event 3 (move of BTC)`. */
export const askedEventText = ({ id, timed }: AskedEvent): string =>
  `market event ${id} (${eventText(timed.event)})`
