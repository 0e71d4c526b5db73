import type { TapeMs } from '../../clock/instant.ts'
import type { Timeline } from '../../contract/timeline.ts'
import { eventChunk, eventsApart, prepareChunk, timelineOf } from '../../world/playback/timeline.ts'
import type { World } from '../../world/world.ts'

/** The events of a line, whatever world it has at present. */
export function lineTimeline(world: () => World, endMs: () => TapeMs): Timeline {
  const { startMs, tapeEndMs, chunkMs, isApart } = timelineOf(world())
  return {
    startMs,
    tapeEndMs,
    get endMs() {
      return endMs()
    },
    chunkMs,
    chunk: (index) => eventChunk(world(), chunkMs, index),
    prepare: (index) => prepareChunk(world(), chunkMs, index),
    isApart,
    eventsApart: (addresses, index) => eventsApart(world(), chunkMs, addresses, index),
  }
}
