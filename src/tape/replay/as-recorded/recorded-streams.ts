/** Frames of a recording by their subscription. */

import { tapeMs } from '../../../clock/instant.ts'
import type { Channel } from '../../../contract/channel.ts'
import type { Timeline, TimelineEvent } from '../../../contract/timeline.ts'
import type { FollowedSocket, FollowedSubscription, RecordedPush } from '../socket-follower.ts'
import { type RecordedFrame, RecordedFrames } from './recorded-frames.ts'

/** Frames of one subscription, in order. */
export interface FramesOfStream {
  channel: Channel
  frames: RecordedFrames
  /** Whether the first of them is the initial frame of a subscription. */
  hasOpening: boolean
}

interface OwnedFrames extends FramesOfStream {
  owner: FollowedSocket
}

/** A frame this soon after subscribing is the initial one. */
const OPENING_MS = 1000

export class RecordedStreams {
  private readonly byId = new Map<string, OwnedFrames>()
  /** All of them, in order of time. */
  readonly frames = new RecordedFrames()
  /** Pushes without a known subscription. */
  strayCount = 0

  /**
   * In order of time. Where two sockets had the same subscription, the frames of one are kept.
   *
   * @param keep stores its text and returns the index
   */
  add(push: RecordedPush, atMs: number, keep: () => number): void {
    const found = subscriptionsOf(push)
    if (found.length === 0) this.strayCount++
    let text: number | null = null
    for (const made of found) {
      const stream = this.begin(made, push.socket)
      if (stream.owner !== push.socket && stream.owner.subscriptions.has(made.id)) continue
      stream.owner = push.socket
      if (stream.frames.length === 0) stream.hasOpening = atMs - made.atMs <= OPENING_MS
      text ??= keep()
      const frame = { atMs, stream: made.id, text }
      stream.frames.add(frame)
      this.frames.add(frame)
    }
  }

  /** Begins a subscription, whether or not it ever receives frames. */
  begin({ id, channel }: FollowedSubscription, owner: FollowedSocket): OwnedFrames {
    const known = this.byId.get(id)
    if (known) return known
    const stream = { channel, frames: new RecordedFrames(), hasOpening: false, owner }
    this.byId.set(id, stream)
    return stream
  }

  of(id: string): FramesOfStream | undefined {
    return this.byId.get(id)
  }

  /** Ids of all. */
  get ids(): string[] {
    return [...this.byId.keys()]
  }
}

// Finds the subscription of a push, which frames do not name.

/** Subscriptions whose keys the data shows, or does not contradict. */
function subscriptionsOf({ channel, data, socket }: RecordedPush): FollowedSubscription[] {
  const ofChannel = [...socket.subscriptions.values()].filter((one) => one.channel.id === channel)
  const shown = shownIn(data)
  const fitting = ofChannel.filter(({ channel: { key }, subscription }) =>
    key.every((field) => {
      const names = NAMES[field]
      const value = names?.map((name) => shown[name]).find((one) => one !== undefined)
      return value === undefined || isSame(value, subscription[field])
    }),
  )
  return fitting.length > 1 && channel === 'l2Book' ? [roundedAs(fitting, shown)] : fitting
}

/** Field names of a subscription's key in the data of pushes. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  coin: ['coin', 's'],
  interval: ['i'],
  user: ['user'],
  address: ['address'],
  dex: ['dex'],
}

const isSame = (value: unknown, wanted: unknown): boolean =>
  String(value).toLowerCase() === String(wanted ?? '').toLowerCase()

function shownIn(data: unknown): Record<string, unknown> {
  const first = Array.isArray(data) ? data[0] : data
  return typeof first === 'object' && first !== null ? (first as Record<string, unknown>) : {}
}

/** For rounded books: the coarsest rounding that all prices fit. */
function roundedAs(
  fitting: readonly FollowedSubscription[],
  { levels }: Record<string, unknown>,
): FollowedSubscription {
  const prices = Array.isArray(levels) ? levels.flat().map(({ px }) => String(px)) : []
  const digits = Math.max(0, ...prices.map(significantDigits))
  const sorted = fitting.toSorted((a, b) => figuresOf(a) - figuresOf(b))
  return sorted.find((one) => digits <= figuresOf(one)) ?? (sorted.at(-1) as FollowedSubscription)
}

const figuresOf = ({ subscription }: FollowedSubscription): number =>
  typeof subscription.nSigFigs === 'number' ? subscription.nSigFigs : Number.POSITIVE_INFINITY

const significantDigits = (px: string): number =>
  px.replace(/\.0*$/, '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length

/** The timeline of a tape with the frames of a recording. */
export function replayedTimeline(base: Timeline, frames: RecordedFrames): Timeline {
  const { startMs, tapeEndMs, chunkMs } = base
  const merged = new WeakMap<readonly TimelineEvent[], readonly TimelineEvent[]>()
  return {
    startMs,
    tapeEndMs,
    chunkMs,
    get endMs() {
      return base.endMs
    },
    prepare: (index) => base.prepare(index),
    isOnDemand: (address) => base.isOnDemand(address),
    onDemandEvents: (addresses, index) => base.onDemandEvents(addresses, index),
    chunk(index) {
      const events = base.chunk(index)
      const known = merged.get(events)
      if (known) return known
      const fromMs = startMs + index * chunkMs
      const own = frames.between(fromMs, fromMs + chunkMs)
      if (own.length === 0) return events
      const made = withFrames(events, own)
      merged.set(events, made)
      return made
    },
  }
}

/** At the same instant the market's events come first. */
function withFrames(
  events: readonly TimelineEvent[],
  frames: readonly RecordedFrame[],
): readonly TimelineEvent[] {
  const recorded = frames.map(
    (frame): TimelineEvent => ({
      kind: 'recorded',
      timeMs: tapeMs(frame.atMs),
      stream: frame.stream,
      recorded: frame,
      frame: undefined,
    }),
  )
  return [...events, ...recorded].sort((a, b) => a.timeMs - b.timeMs)
}
