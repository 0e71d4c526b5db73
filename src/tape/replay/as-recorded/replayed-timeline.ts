/** The timeline of a tape with the frames of a recording in it. */

import { tapeMs } from '../../../clock/instant.ts'
import type { Timeline, TimelineEvent } from '../../../contract/timeline.ts'
import type { RecordedFrame, RecordedFrames } from './recorded-frames.ts'

export function replayedTimeline(base: Timeline, frames: RecordedFrames): Timeline {
  const { startMs, tapeEndMs, chunkMs } = base
  const merged = new WeakMap<readonly TimelineEvent[], readonly TimelineEvent[]>()
  return {
    startMs,
    tapeEndMs,
    chunkMs,
    get endMs() {
      return base.endMs
    },
    prepare: (index) => base.prepare(index),
    isApart: (address) => base.isApart(address),
    eventsApart: (addresses, index) => base.eventsApart(addresses, index),
    chunk(index) {
      const events = base.chunk(index)
      const known = merged.get(events)
      if (known) return known
      const fromMs = startMs + index * chunkMs
      const own = frames.between(fromMs, fromMs + chunkMs)
      if (own.length === 0) return events
      const made = withFrames(events, own)
      merged.set(events, made)
      return made
    },
  }
}

/** At the same instant the events of the market are first. */
function withFrames(
  events: readonly TimelineEvent[],
  frames: readonly RecordedFrame[],
): readonly TimelineEvent[] {
  const recorded = frames.map(
    (frame): TimelineEvent => ({
      kind: 'recorded',
      timeMs: tapeMs(frame.atMs),
      stream: frame.stream,
      recorded: frame,
      frame: undefined,
    }),
  )
  return [...events, ...recorded].sort((a, b) => a.timeMs - b.timeMs)
}
