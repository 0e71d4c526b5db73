/** A distinct subscription and all its subscribers, whatever the source of its frames. */
import type { Slices } from '../../clock/turns.ts'
import type { Channel } from '../../contract/channel.ts'
import { JsonTemplates } from '../../contract/json-templates.ts'
import type { TSchema } from '../../contract/schema.ts'
import type { KeptFrame, TimelineEvent } from '../../contract/timeline.ts'
import type { TapePosition } from '../playhead.ts'

/** Receives the frames of a stream. */
export interface Subscriber {
  /** Whether it belongs to the console. */
  readonly isConsole: boolean
  /** Queues a frame. */
  deliver(stream: Stream, frame: string): void
}

export interface Stream {
  readonly channel: Channel
  readonly subscription: Record<string, unknown>
  /** Topics of the events that concern it. */
  readonly topics: readonly string[]
  readonly subscribers: Set<Subscriber>
  /** Session time of its last frame. */
  readonly lastSentMs: number
  /** Whether its data is stale. */
  isExpired(): boolean
  /** The first frames of a new subscriber. */
  openingFrames(
    position: TapePosition,
    subscriber: Subscriber,
  ): readonly string[] | Slices<readonly string[]>
  /**
   * Restarts after a seek or in a new lap: subscribers are sent their first frames again, by the
   * returned work where that is long.
   */
  restart(position: TapePosition): Slices<void> | null
  /** Handles an event of its topics at that session time. */
  onEvent(event: TimelineEvent, position: TapePosition, nowMs: number): void
  stop(): void
}

// Templates of a stream's frames, for another shift or lap.

/** Bytes of templates that are kept and written together. */
const TOGETHER_BYTES = 8 << 10

/**
 * Templates of consecutive frames, written together. Making a template takes longer than writing a
 * frame.
 */
export class FrameTemplates {
  /** Templates that are added to. */
  private growing = new JsonTemplates()
  /** The templates that were written together. */
  private templates: JsonTemplates | null = null
  private frames: readonly string[] | null = null
  private shiftMs = 0
  private lap = 0

  /** A frame as shown; null without a template. */
  at(
    { templates, index }: KeptFrame,
    { shiftMs, lap }: Pick<TapePosition, 'shiftMs' | 'lap'>,
  ): string | null {
    const isKnown = this.templates === templates && this.shiftMs === shiftMs && this.lap === lap
    // The growing templates have gained entries.
    if (!isKnown || (this.frames !== null && index >= this.frames.length)) {
      this.templates = templates
      this.shiftMs = shiftMs
      this.lap = lap
      this.frames = templates.at({ shiftMs, lap })
    }
    return this.frames === null ? null : (this.frames[index] as string)
  }

  /** Keeps data between two texts and returns its bytes; null where no template is possible. */
  keep(
    data: unknown,
    schema: TSchema,
    before: string,
    after: string,
  ): { kept: KeptFrame; bytes: number } | null {
    if (this.growing.size >= TOGETHER_BYTES) this.growing = new JsonTemplates()
    const { growing } = this
    const [index, { size }] = [growing.count, growing]
    if (!growing.add(data, schema, before, after)) return null
    return { kept: { templates: growing, index }, bytes: growing.size - size }
  }
}

/** Bytes of a timeline's templates that may still be kept. */
export interface KeptBytes {
  left: number
}
