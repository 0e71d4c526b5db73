/** The frames of a stream that have an event's own data in them. */
import { JsonTemplates } from '../contract/json-templates.ts'
import type { TSchema } from '../contract/schema.ts'
import type { KeptFrame, PassedOn } from '../contract/timeline.ts'
import type { TapePosition } from '../sandbox/playhead.ts'
import { writtenOut } from './frame-data.ts'

/** Bytes of templates that are kept, and written, together. */
const TOGETHER_BYTES = 8 << 10

/**
 * Of what is played again, in a later lap or to another sandbox, templates are kept: making one
 * takes longer than writing the frame. They are kept with those of the events that follow, and all
 * of these are written at once. An event's data belongs to one channel.
 */
export class PassedFrames {
  /** Templates that are added to. */
  private growing = new JsonTemplates()
  /** What was written at once. */
  private templates: JsonTemplates | null = null
  private frames: readonly string[] | null = null
  private shiftMs = 0
  private lap = 0

  /** @param head what stands before the data */
  constructor(
    private readonly head: string,
    private readonly schema: TSchema,
  ) {}

  frame(event: PassedOn, data: object, as: TapePosition): string {
    const { frame } = event
    if (frame === undefined) event.frame = 'written'
    else if (frame === 'written') event.frame = this.kept(data)
    else if (frame !== null) {
      const frames = this.framesOf(frame, as)
      if (frames) return frames[frame.index] as string
    }
    return `${this.head}${writtenOut(data, this.schema, as)}}`
  }

  private framesOf({ templates, index }: KeptFrame, { shiftMs, lap }: TapePosition) {
    const isKnown = this.templates === templates && this.shiftMs === shiftMs && this.lap === lap
    // Those that are added to have more than they had.
    if (isKnown && (this.frames === null || index < this.frames.length)) return this.frames
    this.templates = templates
    this.shiftMs = shiftMs
    this.lap = lap
    this.frames = templates.at({ shiftMs, lap })
    return this.frames
  }

  private kept(data: object): KeptFrame | null {
    if (this.growing.size >= TOGETHER_BYTES) this.growing = new JsonTemplates()
    const { growing } = this
    const index = growing.count
    return growing.add(data, this.schema, this.head, '}') ? { templates: growing, index } : null
  }
}
