import type { Channel } from '../contract/channel.ts'
import type { TimelineEvent } from '../contract/timeline.ts'
import type { RecordedFrame, RecordedFrames } from '../replay/as-recorded/recorded-frames.ts'
import type { FramesOfStream } from '../replay/as-recorded/recorded-streams.ts'
import type { Recording } from '../replay/as-recorded/recording.ts'
import type { TapePosition } from '../sandbox/playhead.ts'
import { RecordedFrameTexts } from './recorded-frame-texts.ts'
import type { Stream, Subscriber } from './stream.ts'

/** A subscription that is sent what was recorded of it, each frame when the playhead reaches it. */
export class RecordedStream implements Stream {
  readonly subscribers = new Set<Subscriber>()
  readonly topics: readonly string[]
  readonly channel: Channel
  private readonly frames: RecordedFrames
  private readonly hasOpening: boolean
  /** Those who have been sent the first frame before its time. */
  private readonly ahead = new Set<Subscriber>()
  private lastText = ''
  private readonly texts: RecordedFrameTexts

  constructor(
    private readonly recording: Recording,
    id: string,
    { channel, frames, hasOpening }: FramesOfStream,
    readonly subscription: Record<string, unknown>,
    public lastSentMs: number,
  ) {
    this.channel = channel
    this.frames = frames
    this.hasOpening = hasOpening
    this.topics = [`recorded/${id}`]
    this.texts = new RecordedFrameTexts(recording, channel)
  }

  /**
   * The latest at or before the playhead, and what came at the same instant; else the first,
   * however early that is. Nothing where nobody was sent anything at once.
   */
  openingFrames({ atMs, shiftMs }: TapePosition, subscriber: Subscriber): readonly string[] {
    if (!this.hasOpening) return []
    const latest = this.frames.latestAt(atMs)
    const last = latest.at(-1)
    if (!last) this.ahead.add(subscriber)
    const opening = last && last.atMs < atMs ? [last] : last ? latest : this.firstOnly
    return opening.map((frame) => this.recording.shownFrame(frame, this.channel, shiftMs))
  }

  beginAnew(position: TapePosition): void {
    this.ahead.clear()
    for (const subscriber of this.subscribers)
      for (const text of this.openingFrames(position, subscriber)) subscriber.deliver(this, text)
  }

  /** As the recording says. */
  isExpired(): boolean {
    return this.lastText.includes('"stale":true')
  }

  onEvent(event: TimelineEvent, { shiftMs }: TapePosition, nowMs: number): void {
    if (event.kind !== 'recorded') return
    const frame = event.recorded as RecordedFrame
    const text = this.texts.shown(frame, event, shiftMs)
    this.lastText = text
    this.lastSentMs = nowMs
    const isFirst = frame.text === this.frames.first?.text
    for (const subscriber of this.subscribers)
      if (!isFirst || !this.ahead.delete(subscriber)) subscriber.deliver(this, text)
  }

  stop(): void {
    this.ahead.clear()
  }

  private get firstOnly(): readonly RecordedFrame[] {
    const { first } = this.frames
    return first ? [first] : []
  }
}
