/** Journals that market events begin and end, when the playhead comes to where they do. */
import type { SessionClock } from '../../clock/session-clock.ts'
import { eventText } from '../../market/events/conflicts.ts'
import { eventEndMs } from '../../market/events/market-event.ts'
import type { MarketEntry } from '../journal/entry.ts'
import type { Journal } from '../journal/journal.ts'
import type { Playhead } from '../playhead.ts'
import type { AskedEvent } from './asked-event.ts'

/** What of a sandbox is watched, and where it is written. */
export interface WatchedMarket {
  clock: SessionClock
  playhead: Playhead
  journal: Journal
}

export class EventAlarms {
  private cancel: (() => void) | null = null

  constructor(private readonly market: WatchedMarket) {}

  /** Writes that events were asked for, and those that begin at once. */
  asked(events: readonly AskedEvent[]): void {
    const tapeMs = this.hereMs
    for (const one of events) this.record(one, 'asked', tapeMs)
    this.fire(tapeMs, events)
  }

  /** Waits for what comes next from where the playhead is now. */
  schedule(all: readonly AskedEvent[]): void {
    this.cancel?.()
    this.cancel = null
    if (all.length === 0) return
    const { clock, playhead } = this.market
    const hereMs = this.hereMs
    const nextMs = Math.min(...all.flatMap(instantsOf).filter((timeMs) => timeMs > hereMs))
    if (!Number.isFinite(nextMs)) return
    const whenMs = playhead.sessionMsOf(nextMs - playhead.span.startMs)
    if (whenMs === undefined) return
    const fire = () => {
      this.fire(nextMs, all)
      this.schedule(all)
    }
    this.cancel = clock.at(whenMs, fire, 'market event')
  }

  private get hereMs(): number {
    const { clock, playhead } = this.market
    return playhead.positionAt(clock.nowMs()).atMs
  }

  private fire(timeMs: number, events: readonly AskedEvent[]): void {
    for (const one of events) {
      if (one.timed.fromMs === timeMs) this.record(one, 'begun', timeMs)
      if (eventEndMs(one.timed) === timeMs) this.record(one, 'ended', timeMs)
    }
  }

  private record(asked: AskedEvent, event: MarketEntry['event'], tapeMs: number): void {
    const { clock, journal } = this.market
    if (!journal.isOn) return
    journal.record({
      kind: 'market',
      event,
      sessionMs: clock.nowMs(),
      tapeMs,
      key: null,
      rule: asked.scenario,
      id: asked.id,
      subject: eventText(asked.timed.event),
    })
  }
}

const instantsOf = ({ timed }: AskedEvent) => [timed.fromMs, eventEndMs(timed)]
