/** One distinct subscription and all its subscribers, whatever its frames come from. */
import type { Channel } from '../../contract/channel.ts'
import type { TimelineEvent } from '../../contract/timeline.ts'
import type { TapePosition } from '../playhead.ts'

/** Who receives the frames of a stream. */
export interface Subscriber {
  /** Queues a frame. */
  deliver(stream: Stream, frame: string): void
}

export interface Stream {
  readonly channel: Channel
  readonly subscription: Record<string, unknown>
  /** Events that concern it. */
  readonly topics: readonly string[]
  readonly subscribers: Set<Subscriber>
  /** When it last sent anything, session time. */
  readonly lastSentMs: number
  /** Whether what it shows is too old. */
  isExpired(): boolean
  /** The frames that a new subscriber is sent first. */
  openingFrames(position: TapePosition, subscriber: Subscriber): readonly string[]
  /** The market begins anew: subscribers are sent what new ones are sent first. */
  beginAnew(position: TapePosition): void
  /** An event of its topics has happened, at that session time. */
  onEvent(event: TimelineEvent, position: TapePosition, nowMs: number): void
  stop(): void
}
