/** The next events of a timeline, from a position of the playhead on. */

import { tapeMs } from '../clock/instant.ts'
import type { TimelineEvent } from '../contract/timeline.ts'
import type { EventFields } from './event-condition.ts'
import type { LoadedWorld } from './loaded-world.ts'
import type { Playhead } from './playhead.ts'

export interface UpcomingEvent {
  /** Tape time travelled since the first lap began. */
  travelledMs: number
  event: TimelineEvent
}

/**
 * Events after a position, in order, through the laps or after the tape, up to another one. Before
 * each chunk, which has to be read, there is a place to interrupt the search; a promise is to be
 * awaited there, as the market has to be grown first.
 */
export function* upcomingEvents(
  world: Pick<LoadedWorld, 'timeline' | 'growth'>,
  playhead: Playhead,
  afterMs: number,
  untilMs: number,
): Generator<UpcomingEvent | Promise<void> | null> {
  const { startMs, tapeEndMs, chunkMs } = world.timeline
  const isLooping = playhead.end === 'loop'
  const goesOn = playhead.end === 'continue' && world.growth !== undefined
  const lastMs = goesOn ? startMs + untilMs : tapeEndMs
  const firstLap = isLooping ? Math.floor(afterMs / playhead.lapMs) : 0
  const lastLap = isLooping ? Math.floor(untilMs / playhead.lapMs) : 0
  for (let lap = firstLap; lap <= lastLap; lap++) {
    const base = lap * playhead.lapMs
    const first = Math.max(0, Math.floor((afterMs - base) / chunkMs))
    for (let index = first; startMs + index * chunkMs <= lastMs; index++) {
      if (base + index * chunkMs > untilMs) return
      const chunkEndMs = Math.min(startMs + (index + 1) * chunkMs, lastMs)
      yield chunkEndMs > world.timeline.endMs && goesOn ? grown(world, chunkEndMs) : null
      for (const event of world.timeline.chunk(index)) {
        const travelledMs = base + event.timeMs - startMs
        if (travelledMs > untilMs || event.timeMs > lastMs) break
        if (travelledMs > afterMs) yield { travelledMs, event }
      }
    }
  }
}

/** Some minutes are grown at once: most searches end before long. */
const GROWN_MS = 600_000

function grown({ timeline, growth }: Pick<LoadedWorld, 'timeline' | 'growth'>, untilMs: number) {
  const stepEndMs = Math.max(untilMs, timeline.endMs + GROWN_MS)
  return growth?.ensure(tapeMs(Math.ceil(stepEndMs))) ?? null
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
