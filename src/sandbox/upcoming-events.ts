/** The next events of a timeline, from a position of the playhead on. */
import type { Timeline, TimelineEvent } from '../contract/timeline.ts'
import type { EventFields } from './event-condition.ts'
import type { Playhead } from './playhead.ts'

export interface UpcomingEvent {
  /** Tape time travelled since the first lap began. */
  travelledMs: number
  event: TimelineEvent
}

/**
 * Events after a position, in order, through the laps, up to another one. Before each chunk, which
 * has to be read, there is a null: a place to interrupt the search.
 */
export function* upcomingEvents(
  timeline: Timeline,
  playhead: Playhead,
  afterMs: number,
  untilMs: number,
): Generator<UpcomingEvent | null> {
  const { startMs, endMs, chunkMs } = timeline
  const chunks = Math.floor((endMs - startMs) / chunkMs) + 1
  const isLooping = playhead.end === 'loop'
  const firstLap = isLooping ? Math.floor(afterMs / playhead.lapMs) : 0
  const lastLap = isLooping ? Math.floor(untilMs / playhead.lapMs) : 0
  for (let lap = firstLap; lap <= lastLap; lap++) {
    const base = lap * playhead.lapMs
    const first = Math.max(0, Math.floor((afterMs - base) / chunkMs))
    for (let index = first; index < chunks; index++) {
      if (base + index * chunkMs > untilMs) return
      yield null
      for (const event of timeline.chunk(index)) {
        const travelledMs = base + event.timeMs - startMs
        if (travelledMs > untilMs) return
        if (travelledMs > afterMs) yield { travelledMs, event }
      }
    }
  }
}

/** An event as conditions see it: one set of fields, or one for each of its trades. */
export function eventFieldsOf(event: TimelineEvent): EventFields[] {
  const { kind, timeMs } = event
  const base = { kind, time: timeMs, ...('coin' in event ? { coin: event.coin } : {}) }
  switch (event.kind) {
    case 'trade':
      return event.trades.map(({ px, sz, side }) => ({ ...base, px, sz, side }))
    case 'bbo': {
      const [bid, ask] = event.bbo.bbo
      return [{ ...base, ...(bid ? { bid: bid.px } : {}), ...(ask ? { ask: ask.px } : {}) }]
    }
    case 'fill': {
      const { coin, px, sz, side, dir } = event.fill
      return [{ ...base, address: event.address, coin, px, sz, side, dir }]
    }
    case 'order':
      return [{ ...base, address: event.address, dex: event.dex }]
    case 'ledger':
      return [{ ...base, address: event.address, type: event.update.delta.type }]
    default:
      return [base]
  }
}
