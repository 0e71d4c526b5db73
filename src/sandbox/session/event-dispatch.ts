/** Wakes the streams that an event concerns. */

import { oneSlice, type Slices } from '../../clock/turns.ts'
import type { TimelineEvent } from '../../contract/timeline.ts'
import type { Topic, TopicNumbers } from '../played-chunks.ts'
import type { TapePosition } from '../playhead.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Stream } from './stream.ts'
import type { SubscriptionHub } from './subscription-hub.ts'

export class EventDispatch {
  readonly topics: TopicIndex

  constructor(
    private readonly hub: SubscriptionHub,
    numbers: TopicNumbers,
  ) {
    this.topics = new TopicIndex(numbers)
  }

  /** An event of that topic has come, at that session time; whether it wakes a stream. */
  note(topic: number, nowMs: number): boolean {
    this.hub.activity.note(topic, nowMs)
    return this.topics.streamsOf(topic) !== null
  }

  /** The event that has come. */
  dispatch(topic: number, event: TimelineEvent, position: TapePosition, nowMs: number): void {
    const streams = this.topics.streamsOf(topic)
    if (!streams) return
    const { apart } = this.hub
    if (streams.size > (apart.isEmpty ? GROUP_WEIGHT : 1)) {
      const groups = groupsByWeight([...streams], apart.weightOf)
      if (groups.length > 1) return this.wakeInGroups(event, position, groups)
    }
    this.wake(streams, event, position, nowMs)
  }

  private wake(
    streams: Iterable<Stream>,
    event: TimelineEvent,
    position: TapePosition,
    nowMs: number,
  ): void {
    const { beginnings } = this.hub
    for (const stream of streams) {
      if (beginnings.areLeft) beginnings.beginOne(stream)
      stream.onEvent(event, position, nowMs)
    }
  }

  /** Each group in an alarm of its own: what is due besides has a turn between two of them. */
  private wakeInGroups(
    event: TimelineEvent,
    position: TapePosition,
    groups: readonly (readonly Stream[])[],
  ): void {
    const { clock } = this.hub.sandbox
    const nowMs = clock.nowMs()
    for (const group of groups) {
      const wake = () => {
        const followed = group.filter(({ subscribers }) => subscribers.size > 0)
        this.wake(followed, event, position, clock.nowMs())
        this.hub.outgoing.flush()
      }
      clock.at(nowMs, wake, `pushes of ${event.kind}`)
    }
  }
}

/** Which streams an event wakes. */
type Streams = ReadonlySet<Stream>

/** Marks are one topic for all coins. */
const EVERYONE = '*'

export class TopicIndex {
  /** Kind of event, and whose. */
  private readonly byKind = new Map<string, Map<string, Set<Stream>>>()
  /** By the number of a topic, as far as it was looked up: null for those that nobody follows. */
  private readonly known: (Streams | null | undefined)[] = []

  constructor(private readonly numbers: TopicNumbers) {}

  add(stream: Stream): void {
    for (const topic of stream.topics.map(topicOf)) {
      const { kind, subject } = topic
      const ofKind = this.byKind.get(kind) ?? new Map<string, Set<Stream>>()
      this.byKind.set(kind, ofKind)
      const streams = ofKind.get(subject)
      if (streams) streams.add(stream)
      else {
        ofKind.set(subject, new Set([stream]))
        this.forget(topic)
      }
    }
  }

  remove(stream: Stream): void {
    for (const topic of stream.topics.map(topicOf)) {
      const { kind, subject } = topic
      const ofKind = this.byKind.get(kind)
      const streams = ofKind?.get(subject)
      streams?.delete(stream)
      if (streams?.size !== 0) continue
      ofKind?.delete(subject)
      if (ofKind?.size === 0) this.byKind.delete(kind)
      this.forget(topic)
    }
  }

  /** Looked up for every event there is, by the number of its topic: nothing is made for it. */
  streamsOf(number: number): Streams | null {
    const known = this.known[number]
    return known === undefined ? this.find(number) : known
  }

  private find(number: number): Streams | null {
    const { kind, subject } = this.numbers.topic(number)
    const streams = this.byKind.get(kind)?.get(kind === 'mark' ? EVERYONE : subject) ?? null
    while (this.known.length <= number) this.known.push(undefined)
    this.known[number] = streams
    return streams
  }

  /** It is followed by nobody any more, or was not before. */
  private forget(topic: Topic): void {
    if (topic.subject === EVERYONE) this.known.length = 0
    const number = this.numbers.find(topic)
    if (number !== undefined && number < this.known.length) this.known[number] = undefined
  }
}

function topicOf(text: string): Topic {
  const at = text.indexOf('/')
  return { kind: text.slice(0, at) as Topic['kind'], subject: text.slice(at + 1) }
}

// Streams that have something to do at one instant, in groups short enough for a slice.

/** An account of the crowd is made for its frame, which takes some milliseconds. */
export const WEIGHT_OF_MADE = 32

/** What a group takes together. */
const GROUP_WEIGHT = 64

/**
 * In order; one group where all of them fit into it.
 *
 * @param weightOf what a stream's frame takes, in frames of the market
 */
export function groupsByWeight(
  streams: readonly Stream[],
  weightOf: (stream: Stream) => number,
): Stream[][] {
  const groups: Stream[][] = []
  let weight = GROUP_WEIGHT
  for (const stream of streams) {
    if (weight >= GROUP_WEIGHT) {
      groups.push([])
      weight = 0
    }
    groups.at(-1)?.push(stream)
    weight += weightOf(stream)
  }
  return groups
}

/** Streams of accounts that are apart in the timeline: these are played only while followed. */
export class ApartStreams {
  private readonly streams = new Set<Stream>()

  constructor(private readonly sandbox: Sandbox) {}

  /** Whether there is any. */
  get isEmpty(): boolean {
    return this.streams.size === 0
  }

  readonly weightOf = (stream: Stream): number => (this.streams.has(stream) ? WEIGHT_OF_MADE : 1)

  /** A stream is followed from now on. */
  add(stream: Stream): void {
    for (const address of this.accountsOf(stream)) {
      this.streams.add(stream)
      this.sandbox.player.accounts.add(address)
    }
  }

  /** It is followed no more. */
  remove(stream: Stream): void {
    this.streams.delete(stream)
    for (const address of this.accountsOf(stream)) this.sandbox.player.accounts.remove(address)
  }

  private accountsOf({ topics }: Stream): string[] {
    const { timeline } = this.sandbox.world
    const subjects = new Set(topics.map((topic) => topic.slice(topic.indexOf('/') + 1)))
    return [...subjects].filter((subject) => timeline.isApart(subject))
  }
}

// Streams whose market goes on from another place, after a seek or in another lap: each sends its
// snapshot of there before anything else. Few do it at once; of many each has its turn.

export class NewBeginnings {
  /** Those that have yet to begin, and where. */
  private readonly left = new Map<Stream, TapePosition>()

  constructor(
    private readonly hub: SubscriptionHub,
    private readonly later: (work: Slices<void>) => unknown,
  ) {}

  /** Whether any has yet to begin. */
  get areLeft(): boolean {
    return this.left.size > 0
  }

  /** All of these begin there: at once, or in groups of which others have turns in between. */
  begin(streams: Iterable<Stream>, to: TapePosition, by: 'lap' | 'seek'): void {
    for (const stream of streams) this.left.set(stream, to)
    const groups = groupsByWeight([...this.left.keys()], this.hub.apart.weightOf)
    if (groups.length <= 1) return this.beginGroup(groups[0] ?? [])
    for (const group of groups)
      this.soon(by, () => {
        this.beginGroup(group)
        this.hub.outgoing.flush()
      })
  }

  /** All that have yet to begin do it in these slices, for who waits for it. */
  *rest(): Slices<void> {
    for (const stream of [...this.left.keys()]) {
      this.beginOne(stream)
      this.hub.outgoing.flush()
      yield
    }
  }

  /** What a stream is told now comes after its beginning. */
  beginOne(stream: Stream): void {
    const to = this.left.get(stream)
    if (!to) return
    this.left.delete(stream)
    if (stream.subscribers.size > 0) stream.beginAnew(to)
  }

  /** Nobody follows it any more. */
  forget(stream: Stream): void {
    this.left.delete(stream)
  }

  private beginGroup(group: readonly Stream[]): void {
    for (const stream of group) this.beginOne(stream)
  }

  private soon(by: 'lap' | 'seek', task: () => void): void {
    const { clock, playhead } = this.hub.sandbox
    // A clock that stands fires no alarms; one that is moved has laps in the order of all else.
    if (by === 'seek' || playhead.speed === 'max') this.later(oneSlice(task))
    else clock.at(clock.nowMs(), task, 'snapshots of a lap')
  }
}
