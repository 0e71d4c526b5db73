/** The frames of a stream that follow from an event alone. */
import type { Channel } from '../contract/channel.ts'
import type { KeptFrame, PassedOn, Timeline, TimelineEvent } from '../contract/timeline.ts'
import type { TapePosition } from '../sandbox/playhead.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { WITHOUT_FACTS, writtenOut } from './frame-data.ts'
import { type KeptBytes, KeptFrames } from './kept-frames.ts'

/** Of what is played again, in a later lap or to another sandbox, templates are kept. */
export class EventFrames {
  private readonly keptFrames = new KeptFrames()
  private readonly head: string
  private readonly states: KeptBytes

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
      const shown = this.keptFrames.at(frame, position)
      if (shown !== null) return shown
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

  private kept(data: unknown, event: TimelineEvent): KeptFrame | null {
    if (event.kind === 'book' && this.states.left <= 0) return null
    const made = this.keptFrames.keep(data, this.channel.data, this.head, '}')
    if (made && event.kind === 'book') this.states.left -= made.bytes
    return made?.kept ?? null
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

/** Whole books are much larger than what changes them. */
const STATE_BYTES = 32 << 20
const byTimeline = new WeakMap<Timeline, KeptBytes>()

function stateBytesOf(timeline: Timeline): KeptBytes {
  const known = byTimeline.get(timeline) ?? { left: STATE_BYTES }
  byTimeline.set(timeline, known)
  return known
}
