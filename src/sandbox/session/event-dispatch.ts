/** Wakes the streams that an event concerns. */
import type { TimelineEvent } from '../../contract/timeline.ts'
import type { TapePosition } from '../playhead.ts'
import type { Sandbox } from '../sandbox.ts'
import type { TopicNumbers } from '../topic-numbers.ts'
import type { ApartStreams } from './apart-streams.ts'
import type { MarketActivity } from './market-activity.ts'
import type { NewBeginnings } from './new-beginnings.ts'
import type { OutgoingFrames } from './outgoing-frames.ts'
import type { Stream } from './stream.ts'
import { GROUP_WEIGHT, groupsByWeight } from './stream-groups.ts'
import { TopicIndex } from './topic-index.ts'

/** Where the streams are. */
interface DispatchHost {
  readonly sandbox: Sandbox
  readonly activity: MarketActivity
  readonly outgoing: OutgoingFrames
  readonly apart: ApartStreams
  readonly beginnings: NewBeginnings
}

export class EventDispatch {
  readonly topics: TopicIndex

  constructor(
    private readonly host: DispatchHost,
    numbers: TopicNumbers,
  ) {
    this.topics = new TopicIndex(numbers)
  }

  /** An event of that topic has come, at that session time; whether it wakes a stream. */
  note(topic: number, nowMs: number): boolean {
    this.host.activity.note(topic, nowMs)
    return this.topics.streamsOf(topic) !== null
  }

  /** The event that has come. */
  dispatch(topic: number, event: TimelineEvent, position: TapePosition, nowMs: number): void {
    const streams = this.topics.streamsOf(topic)
    if (!streams) return
    const { apart } = this.host
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
    const { beginnings } = this.host
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
    const { clock } = this.host.sandbox
    const nowMs = clock.nowMs()
    for (const group of groups) {
      const wake = () => {
        const followed = group.filter(({ subscribers }) => subscribers.size > 0)
        this.wake(followed, event, position, clock.nowMs())
        this.host.outgoing.flush()
      }
      clock.at(nowMs, wake, `pushes of ${event.kind}`)
    }
  }
}
