/** The chunks of a timeline in columns: what a player asks of every event stands side by side. */
import { isOfAccount, KIND_RANKS, type Timeline, type TimelineEvent } from '../contract/timeline.ts'

/** Numbers of the topics of a timeline, in the order in which they were met. */
type Kind = TimelineEvent['kind']

/** What an event is, and whose: a coin, an address, or the stream of a recording. */
export interface Topic {
  kind: Kind
  subject: string
}

export class TopicNumbers {
  private readonly topics: Topic[] = []
  private readonly numbers = new Map<Kind, Map<string, number>>()

  /** The topic with a number. */
  topic(number: number): Topic {
    return this.topics[number] as Topic
  }

  /** The number of a topic that an event had. */
  find({ kind, subject }: Topic): number | undefined {
    return this.numbers.get(kind)?.get(subject)
  }

  /** The number of the topic of an event. */
  numberOf(event: TimelineEvent): number {
    const topic = { kind: event.kind, subject: subjectOf(event) }
    return this.find(topic) ?? this.add(topic)
  }

  private add(topic: Topic): number {
    const number = this.topics.push(topic) - 1
    const ofKind = this.numbers.get(topic.kind) ?? new Map<string, number>()
    this.numbers.set(topic.kind, ofKind)
    ofKind.set(topic.subject, number)
    return number
  }
}

function subjectOf(event: TimelineEvent): string {
  if (event.kind === 'recorded') return event.stream
  return isOfAccount(event) ? event.address : event.coin
}

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
