/** One distinct subscription and all its subscribers, whatever its frames come from. */
import type { Channel } from '../../contract/channel.ts'
import { JsonTemplates } from '../../contract/json-templates.ts'
import type { TSchema } from '../../contract/schema.ts'
import type { KeptFrame, TimelineEvent } from '../../contract/timeline.ts'
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

// Frames of a stream that are kept as templates, to be shown at another time or in another lap.

/** Bytes of templates that are kept, and written, together. */
const TOGETHER_BYTES = 8 << 10

/**
 * Making a template takes longer than writing a frame. They are kept with those of the frames that
 * follow, and all of these are written at once.
 */
export class KeptFrames {
  /** Templates that are added to. */
  private growing = new JsonTemplates()
  /** What was written at once. */
  private templates: JsonTemplates | null = null
  private frames: readonly string[] | null = null
  private shiftMs = 0
  private lap = 0

  /** A frame as it is shown; null where the templates cannot say so. */
  at(
    { templates, index }: KeptFrame,
    { shiftMs, lap }: Pick<TapePosition, 'shiftMs' | 'lap'>,
  ): string | null {
    const isKnown = this.templates === templates && this.shiftMs === shiftMs && this.lap === lap
    // Those that are added to have more than they had.
    if (!isKnown || (this.frames !== null && index >= this.frames.length)) {
      this.templates = templates
      this.shiftMs = shiftMs
      this.lap = lap
      this.frames = templates.at({ shiftMs, lap })
    }
    return this.frames === null ? null : (this.frames[index] as string)
  }

  /** Keeps data between two texts, and tells how many bytes it takes; null where it cannot be. */
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

/** Bytes of templates of a timeline that may still be kept. */
export interface KeptBytes {
  left: number
}
