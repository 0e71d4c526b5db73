/** The chunks of a timeline in columns: what a player asks of every event stands side by side. */
import type { Timeline, TimelineEvent } from '../contract/timeline.ts'
import { TopicNumbers } from './topic-numbers.ts'

/** Events in order, and of each its time and the number of its topic. */
export interface PlayedChunk {
  readonly events: readonly TimelineEvent[]
  readonly timesMs: Float64Array
  readonly topics: Uint32Array
}

/** No events. */
export const EMPTY_CHUNK = playedChunk([], new TopicNumbers())

export class PlayedChunks {
  private readonly made = new WeakMap<readonly TimelineEvent[], PlayedChunk>()

  constructor(
    private readonly timeline: Timeline,
    readonly topics: TopicNumbers,
  ) {}

  /** For as long as the timeline keeps a chunk, it is made once. */
  chunk(index: number): PlayedChunk {
    const events = this.timeline.chunk(index)
    const known = this.made.get(events)
    if (known) return known
    const chunk = playedChunk(events, this.topics)
    this.made.set(events, chunk)
    return chunk
  }
}

const byTimeline = new WeakMap<Timeline, PlayedChunks>()

/**
 * The chunks of a timeline, shared by all who play it.
 *
 * @param topics of the timeline that it branched off from
 */
export function playedChunksOf(timeline: Timeline, topics = new TopicNumbers()): PlayedChunks {
  const known = byTimeline.get(timeline)
  if (known) return known
  const chunks = new PlayedChunks(timeline, topics)
  byTimeline.set(timeline, chunks)
  return chunks
}

function playedChunk(events: readonly TimelineEvent[], numbers: TopicNumbers): PlayedChunk {
  const timesMs = Float64Array.from(events, ({ timeMs }) => timeMs)
  const topics = Uint32Array.from(events, (event) => numbers.numberOf(event))
  return { events, timesMs, topics }
}
