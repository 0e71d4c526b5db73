/** A market event that a sandbox was told, and how far it has come. */
import { flawsIn, flawsText } from '../../contract/fields/field-flaw.ts'
import { eventText } from '../../market/events/conflicts.ts'
import { readEvent } from '../../market/events/event-reading.ts'
import {
  eventEndMs,
  type MarketEvent,
  type TimedMarketEvent,
} from '../../market/events/market-event.ts'
import { UserError } from '../../platform/user-error.ts'

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

/** As it is written down. */
export interface SavedEvent {
  event: unknown
  askedMs: number
  fromMs: number
  scenario: string | null
}

/** What was written down; a UserError for what is no market event. */
export const savedEvents = (saved: readonly SavedEvent[]): AskedEvent[] =>
  saved.map(({ event, askedMs, fromMs, scenario }, at) => ({
    id: at + 1,
    timed: { event: savedEvent(event), askedMs, fromMs },
    scenario,
  }))

/** What was asked for had its coin by name and its amount in dollars. */
function savedEvent(event: unknown): MarketEvent {
  try {
    return readEvent(event) as MarketEvent
  } catch (flaw) {
    throw new UserError(flawsText(flawsIn(flaw), 'a saved market event'))
  }
}
