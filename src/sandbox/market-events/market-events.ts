/** What the market of a sandbox was told to do, in the order in which it was asked for. */
import { conflictOf, eventText } from '../../market/events/conflicts.ts'
import {
  eventEndMs,
  type MarketEvent,
  type TimedMarketEvent,
} from '../../market/events/market-event.ts'
import { UserError } from '../../user-error.ts'
import { boundFlaw, MARKET_EVENTS_MAX } from '../sandbox-bounds.ts'
import { type AskedEvent, askedEventText, type SavedEvent, savedEvents } from './asked-event.ts'
import { EventAlarms, type WatchedMarket } from './event-alarms.ts'

export class MarketEvents {
  private asked: AskedEvent[] = []
  private readonly alarms: EventAlarms

  constructor(watched: WatchedMarket) {
    this.alarms = new EventAlarms(watched)
  }

  get list(): readonly AskedEvent[] {
    return this.asked
  }

  /** The same as the market takes them. */
  get timed(): TimedMarketEvent[] {
    return this.asked.map(({ timed }) => timed)
  }

  /**
   * Events that are asked for at an instant of the tape, with their numbers: yet to be added. A
   * UserError when they are too many, or contradict what the market was told already.
   */
  next(
    events: readonly { event: MarketEvent; afterMs: number }[],
    askedMs: number,
    scenario: string | null,
  ): AskedEvent[] {
    const full = boundFlaw(
      'market events',
      this.asked.length + events.length - 1,
      MARKET_EVENTS_MAX,
    )
    if (full !== null) throw new UserError(`${full}: reset the sandbox, or take a new one`)
    const asked = events.map(({ event, afterMs }, at) => ({
      id: this.asked.length + at + 1,
      timed: { event, askedMs, fromMs: askedMs + afterMs },
      scenario,
    }))
    for (const one of asked) this.checkFree(one, askedMs)
    return asked
  }

  /** Adds what `next` gave. */
  add(events: readonly AskedEvent[]): void {
    this.asked = [...this.asked, ...events]
    this.watch()
  }

  /** Journals that they were asked for, once that is stored. */
  report(events: readonly AskedEvent[]): void {
    this.alarms.asked(events)
  }

  get saved(): SavedEvent[] {
    return this.asked.map(({ timed, scenario }) => ({ ...timed, scenario }))
  }

  /** Those that were saved, in place of what there is; a UserError for what is no market event. */
  restore(saved: readonly SavedEvent[]): void {
    this.asked = savedEvents(saved)
    this.watch()
  }

  /** The playhead was set, or what there is changed: waits for what begins or ends next. */
  watch(): void {
    this.alarms.schedule(this.asked)
  }

  private checkFree(asked: AskedEvent, askedMs: number): void {
    for (const known of this.asked) {
      const why = conflictOf(known.timed, asked.timed)
      if (why === null) continue
      const inS = (timeMs: number) => `${(timeMs - askedMs) / 1000} s`
      throw new UserError(
        `the ${eventText(asked.timed.event)} would overlap ${askedEventText(known)}, which acts ` +
          `from ${inS(known.timed.fromMs)} to ${inS(eventEndMs(known.timed))} from now: ${why}`,
      )
    }
  }
}
