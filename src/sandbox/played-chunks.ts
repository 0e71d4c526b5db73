/** The chunks of a timeline in columns: what a player asks of every event stands side by side. */
import { KIND_RANKS, type Timeline, type TimelineEvent } from '../contract/timeline.ts'
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

  /** With what happens in it to accounts that are apart. */
  chunkWith(index: number, addresses: ReadonlySet<string>): PlayedChunk {
    const apart = addresses.size > 0 ? this.timeline.eventsApart(addresses, index) : []
    if (apart.length === 0) return this.chunk(index)
    const events = [...this.timeline.chunk(index), ...apart]
    // The sort is stable: what is the market's comes first.
    events.sort((a, b) => a.timeMs - b.timeMs || KIND_RANKS[a.kind] - KIND_RANKS[b.kind])
    return playedChunk(events, this.topics)
  }

  /** Whether something happens in a chunk to an account that is apart. */
  concerns(index: number, address: string): boolean {
    return this.timeline.eventsApart(new Set([address]), index).length > 0
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
