/** Wakes the streams that an event concerns. */
import type { TimelineEvent } from '../contract/timeline.ts'
import type { TapePosition } from '../sandbox/playhead.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { TopicNumbers } from '../sandbox/topic-numbers.ts'
import type { MarketActivity } from './market-activity.ts'
import type { OutgoingFrames } from './outgoing-frames.ts'
import type { Stream } from './stream.ts'
import { TopicIndex } from './topic-index.ts'

/** Streams of one topic that an event wakes at once. */
const WOKEN_AT_ONCE = 64

/** Where the streams are. */
interface DispatchHost {
  readonly sandbox: Sandbox
  readonly activity: MarketActivity
  readonly outgoing: OutgoingFrames
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
    if (streams.size > WOKEN_AT_ONCE) this.wakeInGroups(event, position, [...streams])
    else for (const stream of streams) stream.onEvent(event, position, nowMs)
  }

  /** Each group in an alarm of its own: what is due besides has a turn between two of them. */
  private wakeInGroups(
    event: TimelineEvent,
    position: TapePosition,
    streams: readonly Stream[],
  ): void {
    const { clock } = this.host.sandbox
    const nowMs = clock.nowMs()
    for (let from = 0; from < streams.length; from += WOKEN_AT_ONCE) {
      const group = streams.slice(from, from + WOKEN_AT_ONCE)
      const wake = () => {
        for (const stream of group)
          if (stream.subscribers.size > 0) stream.onEvent(event, position, clock.nowMs())
        this.host.outgoing.flush()
      }
      clock.at(nowMs, wake, `pushes of ${event.kind}`)
    }
  }
}
