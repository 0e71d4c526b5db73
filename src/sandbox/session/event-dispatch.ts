/** Wakes the streams that an event concerns. */

import type { Slices } from '../../clock/turns.ts'
import type { TimelineEvent } from '../../contract/timeline.ts'
import type { TapePosition } from '../playhead.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Topic, TopicNumbers } from '../timeline-run.ts'
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

  /** Notes an event of that topic at that session time; whether it wakes a stream. */
  note(topic: number, nowMs: number): boolean {
    this.hub.activity.note(topic, nowMs)
    return this.topics.streamsOf(topic) !== null
  }

  /** Dispatches the event to its streams. */
  dispatch(topic: number, event: TimelineEvent, position: TapePosition, nowMs: number): void {
    const streams = this.topics.streamsOf(topic)
    if (!streams) return
    const { onDemand } = this.hub
    if (streams.size > (onDemand.isEmpty ? GROUP_WEIGHT : 1)) {
      const groups = groupsByWeight([...streams], onDemand.weightOf)
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
    const { resnapshots } = this.hub
    for (const stream of streams) {
      if (resnapshots.isPending) resnapshots.resnapshotBefore(stream)
      stream.onEvent(event, position, nowMs)
    }
  }

  /** Each group has an alarm of its own: other due work has a turn between two of them. */
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

/** The streams that an event wakes. */
type Streams = ReadonlySet<Stream>

/** Marks are one topic for all coins. */
const ALL_COINS = '*'

export class TopicIndex {
  /** Streams by kind of event and its subject. */
  private readonly byKind = new Map<string, Map<string, Set<Stream>>>()
  /** Streams by topic number, as far as looked up: null for a topic without streams. */
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

  /** The streams of a topic number. It is looked up for every event, so it allocates nothing. */
  streamsOf(number: number): Streams | null {
    const known = this.known[number]
    return known === undefined ? this.find(number) : known
  }

  private find(number: number): Streams | null {
    const { kind, subject } = this.numbers.topic(number)
    const streams = this.byKind.get(kind)?.get(kind === 'mark' ? ALL_COINS : subject) ?? null
    while (this.known.length <= number) this.known.push(undefined)
    this.known[number] = streams
    return streams
  }

  /** A topic has gained its first stream, or lost its last one. */
  private forget(topic: Topic): void {
    if (topic.subject === ALL_COINS) this.known.length = 0
    const number = this.numbers.find(topic)
    if (number !== undefined && number < this.known.length) this.known[number] = undefined
  }
}

function topicOf(text: string): Topic {
  const at = text.indexOf('/')
  return { kind: text.slice(0, at) as Topic['kind'], subject: text.slice(at + 1) }
}

// Streams with work at one instant, in groups short enough for a slice.

/** Weight of an account of the crowd: generating it takes some milliseconds. */
export const WEIGHT_OF_MADE = 32

/** Maximum weight of a group. */
const GROUP_WEIGHT = 64

/**
 * Groups streams in order; one group where all fit.
 *
 * @param weightOf cost of a stream's frame, in frames of the market
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

/** Streams of on-demand accounts: their events are played only while a stream follows them. */
export class OnDemandAccounts {
  private readonly streams = new Set<Stream>()

  constructor(private readonly sandbox: Sandbox) {}

  /** Whether there is none. */
  get isEmpty(): boolean {
    return this.streams.size === 0
  }

  readonly weightOf = (stream: Stream): number => (this.streams.has(stream) ? WEIGHT_OF_MADE : 1)

  /** Adds a followed stream. */
  add(stream: Stream): void {
    for (const address of this.accountsOf(stream)) {
      this.streams.add(stream)
      this.sandbox.player.accounts.add(address)
    }
  }

  /** Removes a stream that is no longer followed. */
  remove(stream: Stream): void {
    this.streams.delete(stream)
    for (const address of this.accountsOf(stream)) this.sandbox.player.accounts.remove(address)
  }

  private accountsOf({ topics }: Stream): string[] {
    const { timeline } = this.sandbox.world
    const subjects = new Set(topics.map((topic) => topic.slice(topic.indexOf('/') + 1)))
    return [...subjects].filter((subject) => timeline.isOnDemand(subject))
  }
}

// The resnapshot queue: after a seek or in a new lap, each stream sends its snapshot before
// anything else. Few streams do it at once; of many each has its turn.

export class ResnapshotQueue {
  /** Streams whose snapshot is due, and its position. */
  private readonly due = new Map<Stream, TapePosition>()
  /** Snapshots in the making after a seek, in the order of their streams. */
  private readonly underway = new Set<Promise<void>>()

  constructor(
    private readonly hub: SubscriptionHub,
    private readonly later: (work: Slices<void>) => Promise<void>,
  ) {}

  /** Whether a snapshot is due. */
  get isPending(): boolean {
    return this.due.size > 0
  }

  /** Sends the snapshots of a position: at once, or in groups with other turns between them. */
  begin(streams: Iterable<Stream>, to: TapePosition, by: 'lap' | 'seek'): void {
    for (const stream of streams) this.due.set(stream, to)
    const groups = groupsByWeight([...this.due.keys()], this.hub.onDemand.weightOf)
    if (groups.length <= 1) {
      const long = (groups[0] ?? []).flatMap((stream) => this.resnapshot(stream) ?? [])
      if (long.length > 0) this.soon(by, this.inOrder(long))
    } else if (by === 'seek') this.soon(by, this.inOrder(groups.map(this.resnapshotGroup, this)))
    else for (const group of groups) this.soon(by, this.resnapshotGroup(group))
  }

  /** Sends all remaining snapshots in slices, for a caller that waits. */
  *rest(): Slices<void> {
    for (const snapshots of [...this.underway]) yield snapshots
    for (const stream of [...this.due.keys()]) {
      yield* this.resnapshotGroup([stream])
      yield
    }
  }

  /** Sends a stream's snapshot, before its next event. */
  resnapshotBefore(stream: Stream): void {
    const work = this.resnapshot(stream)
    if (work) this.hub.soon(() => this.inOrder([work]), 'snapshot')
  }

  /** Removes a stream without subscribers. */
  forget(stream: Stream): void {
    this.due.delete(stream)
  }

  /** Sends a stream's snapshot if it is due, at once or by the returned work. */
  private resnapshot(stream: Stream): Slices<void> | null {
    const to = this.due.get(stream)
    if (!to) return null
    this.due.delete(stream)
    return stream.subscribers.size > 0 ? stream.restart(to) : null
  }

  private *resnapshotGroup(group: readonly Stream[]): Slices<void> {
    for (const stream of group) {
      const work = this.resnapshot(stream)
      if (work) yield* work
    }
    this.hub.outgoing.flush()
  }

  private *inOrder(works: readonly Slices<void>[]): Slices<void> {
    for (const work of works) {
      yield* work
      this.hub.outgoing.flush()
      yield
    }
  }

  private soon(by: 'lap' | 'seek', work: Slices<void>): void {
    if (by === 'lap') return this.hub.soon(() => work, 'snapshots of a lap')
    const snapshots = this.later(work)
    this.underway.add(snapshots)
    const end = () => void this.underway.delete(snapshots)
    snapshots.then(end, end)
  }
}
