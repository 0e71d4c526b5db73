/** What happens next in a story, from a place of the playhead on. */
import type { Timeline, TimelineEvent } from '../contract/timeline.ts'
import type { EventFields } from './event-condition.ts'
import type { Playhead } from './playhead.ts'

export interface UpcomingEvent {
  /** Tape time travelled since the first lap began. */
  travelledMs: number
  event: TimelineEvent
}

/** Happenings after a place, in order, through the laps, up to another place. */
export function* upcomingEvents(
  story: Timeline,
  playhead: Playhead,
  afterMs: number,
  untilMs: number,
): Generator<UpcomingEvent> {
  const { startMs, endMs, chunkMs } = story
  const chunks = Math.floor((endMs - startMs) / chunkMs) + 1
  const isLooping = playhead.end === 'loop'
  const firstLap = isLooping ? Math.floor(afterMs / playhead.lapMs) : 0
  const lastLap = isLooping ? Math.floor(untilMs / playhead.lapMs) : 0
  for (let lap = firstLap; lap <= lastLap; lap++) {
    const base = lap * playhead.lapMs
    const first = Math.max(0, Math.floor((afterMs - base) / chunkMs))
    for (let index = first; index < chunks; index++)
      for (const happening of story.chunk(index)) {
        const travelledMs = base + happening.timeMs - startMs
        if (travelledMs > untilMs) return
        if (travelledMs > afterMs) yield { travelledMs, event: happening }
      }
  }
}

/** A happening as conditions see it: one set of fields, or one for each of its trades. */
export function eventFieldsOf(happening: TimelineEvent): EventFields[] {
  const { kind, timeMs } = happening
  const base = { kind, time: timeMs, ...('coin' in happening ? { coin: happening.coin } : {}) }
  switch (happening.kind) {
    case 'trade':
      return happening.trades.map(({ px, sz, side }) => ({ ...base, px, sz, side }))
    case 'bbo': {
      const [bid, ask] = happening.bbo.bbo
      return [{ ...base, ...(bid ? { bid: bid.px } : {}), ...(ask ? { ask: ask.px } : {}) }]
    }
    case 'fill': {
      const { coin, px, sz, side, dir } = happening.fill
      return [{ ...base, address: happening.address, coin, px, sz, side, dir }]
    }
    case 'order':
      return [{ ...base, address: happening.address, dex: happening.dex }]
    case 'ledger':
      return [{ ...base, address: happening.address, type: happening.update.delta.type }]
    default:
      return [base]
  }
}
