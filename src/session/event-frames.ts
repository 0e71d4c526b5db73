/** The frames of a stream that follow from an event alone. */
import type { Channel } from '../contract/channel.ts'
import { JsonTemplates } from '../contract/json-templates.ts'
import type { KeptFrame, PassedOn, Timeline, TimelineEvent } from '../contract/timeline.ts'
import type { TapePosition } from '../sandbox/playhead.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { WITHOUT_FACTS, writtenOut } from './frame-data.ts'

/** Bytes of templates that are kept, and written, together. */
const TOGETHER_BYTES = 8 << 10

/**
 * Of what is played again, in a later lap or to another sandbox, templates are kept: making one
 * takes longer than writing the frame. They are kept with those of the events that follow, and all
 * of these are written at once.
 */
export class EventFrames {
  /** Templates that are added to. */
  private growing = new JsonTemplates()
  /** What was written at once. */
  private templates: JsonTemplates | null = null
  private frames: readonly string[] | null = null
  private shiftMs = 0
  private lap = 0
  private readonly head: string
  private readonly states: StateBytes

  /** @param id the stream's */
  constructor(
    private readonly id: string,
    private readonly channel: Channel,
    private readonly subscription: Record<string, unknown>,
    private readonly sandbox: Sandbox,
  ) {
    this.head = channel.dialect.pushHead(channel.id)
    this.states = stateBytesOf(sandbox.world.timeline)
  }

  /** The frame of an event; null when nothing is pushed. */
  frame(event: TimelineEvent, position: TapePosition): string | null {
    const holder = holderOf(event, this.id)
    const { frame } = holder
    if (frame && frame !== 'written') {
      const frames = this.framesOf(frame, position)
      if (frames) return frames[frame.index] as string
    }
    const data = this.dataOf(event, position)
    if (data === undefined) return null
    if (frame === undefined) holder.frame = 'written'
    else if (frame === 'written') holder.frame = this.kept(data, event)
    return `${this.head}${writtenOut(data, this.channel.data, position)}}`
  }

  private dataOf(event: TimelineEvent, position: TapePosition): unknown {
    const { push, pushPolicy } = this.channel
    const facts = pushPolicy.follows === 'data' ? WITHOUT_FACTS : this.sandbox.facts(position)
    return push(this.subscription as never, event, facts)
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

  private kept(data: unknown, event: TimelineEvent): KeptFrame | null {
    if (event.kind === 'book' && this.states.left <= 0) return null
    if (this.growing.size >= TOGETHER_BYTES) this.growing = new JsonTemplates()
    const { growing, head, channel } = this
    const [index, { size }] = [growing.count, growing]
    if (!growing.add(data, channel.data, head, '}')) return null
    if (event.kind === 'book') this.states.left -= growing.size - size
    return { templates: growing, index }
  }
}

/** An event's own data belongs to one channel; a state is shown by several streams. */
function holderOf(event: TimelineEvent, id: string): PassedOn {
  if (event.kind !== 'book') return event as PassedOn
  event.states ??= new Map()
  const known = event.states.get(id)
  if (known) return known
  const holder: PassedOn = { frame: undefined }
  event.states.set(id, holder)
  return holder
}

/** Bytes of states that may still be kept: whole books are much larger than what changes them. */
interface StateBytes {
  left: number
}

const STATE_BYTES = 32 << 20
const byTimeline = new WeakMap<Timeline, StateBytes>()

function stateBytesOf(timeline: Timeline): StateBytes {
  const known = byTimeline.get(timeline) ?? { left: STATE_BYTES }
  byTimeline.set(timeline, known)
  return known
}
