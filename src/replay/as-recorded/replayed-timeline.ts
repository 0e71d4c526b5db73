/** The timeline of a tape with the frames of a recording in it. */
import { tapeMs } from '../../clock/instant.ts'
import type { Timeline, TimelineEvent } from '../../contract/timeline.ts'
import type { RecordedFrame } from './recorded-streams.ts'

/** @param frames in order of time */
export function replayedTimeline(base: Timeline, frames: readonly RecordedFrame[]): Timeline {
  const { startMs, tapeEndMs, chunkMs } = base
  const byChunk = Map.groupBy(frames, ({ atMs }) => Math.floor((atMs - startMs) / chunkMs))
  const merged = new WeakMap<readonly TimelineEvent[], readonly TimelineEvent[]>()
  return {
    startMs,
    tapeEndMs,
    chunkMs,
    get endMs() {
      return base.endMs
    },
    chunk(index) {
      const events = base.chunk(index)
      const own = byChunk.get(index)
      if (!own) return events
      const known = merged.get(events)
      if (known) return known
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
      frame,
    }),
  )
  return [...events, ...recorded].sort((a, b) => a.timeMs - b.timeMs)
}
