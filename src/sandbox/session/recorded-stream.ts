import type { Channel } from '../../contract/channel.ts'
import { socketPath } from '../../contract/paths.ts'
import type { KeptFrame, PassedOn, TimelineEvent } from '../../contract/timeline.ts'
import type {
  RecordedFrame,
  RecordedFrames,
} from '../../tape/replay/as-recorded/recorded-frames.ts'
import type { FramesOfStream } from '../../tape/replay/as-recorded/recorded-streams.ts'
import type { Recording } from '../../tape/replay/as-recorded/recording.ts'
import type { Upstream, UpstreamSubscription } from '../../tape/replay/upstream.ts'
import { jsonOf } from '../../tape/replay/upstream.ts'
import type { TapePosition } from '../playhead.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Stream, Subscriber } from './stream.ts'
import { FrameTemplates, type KeptBytes } from './stream.ts'
import type { SubscriptionHub } from './subscription-hub.ts'

/** A subscription that replays its recorded frames, each when the playhead reaches it. */
export class RecordedStream implements Stream {
  readonly subscribers = new Set<Subscriber>()
  readonly topics: readonly string[]
  readonly channel: Channel
  private readonly frames: RecordedFrames
  private readonly hasOpening: boolean
  /** Subscribers that were sent the first frame before its time. */
  private readonly ahead = new Set<Subscriber>()
  lastSentMs: number
  private lastText = ''
  private readonly texts: RecordedFrameTexts

  constructor(
    private readonly recording: Recording,
    id: string,
    { channel, frames, hasOpening }: FramesOfStream,
    readonly subscription: Record<string, unknown>,
    private readonly sandbox: Sandbox,
  ) {
    this.lastSentMs = sandbox.clock.nowMs()
    this.channel = channel
    this.frames = frames
    this.hasOpening = hasOpening
    this.topics = [`recorded/${id}`]
    this.texts = new RecordedFrameTexts(recording, channel)
  }

  /**
   * The latest frames at or before the playhead, of one instant; else the first, however early that
   * is. None where the recorded client was sent none at once.
   */
  openingFrames({ atMs, shiftMs }: TapePosition, subscriber: Subscriber): readonly string[] {
    if (!this.hasOpening) return []
    const latest = this.frames.latestAt(atMs)
    const last = latest.at(-1)
    if (!last) this.ahead.add(subscriber)
    const opening = last && last.atMs < atMs ? [last] : last ? latest : this.firstOnly
    return opening.map((frame) => this.recording.shownFrame(frame, this.channel, shiftMs))
  }

  restart(position: TapePosition): null {
    this.ahead.clear()
    for (const subscriber of this.subscribers)
      for (const text of this.openingFrames(position, subscriber)) subscriber.deliver(this, text)
    return null
  }

  /** The expiry is part of the recording. */
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
    const kind = this.isExpired() ? 'stale' : 'push'
    this.sandbox.coverage.frame(this.channel, this.subscribers, kind)
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

// The frames of a recorded stream as shown.

/** Cache for frames that are played again: those of a recording are on disk. */
const KEPT_BYTES = 32 << 20
const byRecording = new WeakMap<Recording, KeptBytes>()

class RecordedFrameTexts {
  private readonly keptFrames = new FrameTemplates()
  private readonly bytes: KeptBytes

  constructor(
    private readonly recording: Recording,
    private readonly channel: Channel,
  ) {
    this.bytes = byRecording.get(recording) ?? { left: KEPT_BYTES }
    byRecording.set(recording, this.bytes)
  }

  /** @param holder owner of the frame's template, which is kept from the second use on */
  shown(frame: RecordedFrame, holder: PassedOn, shiftMs: number): string {
    const { recording, channel } = this
    const movedMs = recording.movedMs(shiftMs)
    if (movedMs === 0) return recording.frameText(frame)
    const { frame: kept } = holder
    if (kept && kept !== 'written') {
      const shown = this.keptFrames.at(kept, { shiftMs: movedMs, lap: 0 })
      if (shown !== null) return shown
    }
    if (kept === undefined) holder.frame = 'written'
    else if (kept === 'written') holder.frame = this.kept(frame)
    return recording.shownFrame(frame, channel, shiftMs)
  }

  private kept(frame: RecordedFrame): KeptFrame | null {
    if (this.bytes.left <= 0) return null
    const parts = partsOf(this.recording.frameText(frame))
    if (parts === null) return null
    const made = this.keptFrames.keep(parts.data, this.channel.data, parts.before, parts.after)
    if (made) this.bytes.left -= made.bytes
    return made?.kept ?? null
  }
}

/** Splits a frame into its data and the text around it; null without data. */
function partsOf(text: string): { before: string; data: unknown; after: string } | null {
  const frame = jsonOf(text)
  if (typeof frame !== 'object' || frame === null || !('data' in frame)) return null
  const entries = Object.entries(frame)
  const place = entries.findIndex(([name]) => name === 'data')
  const written = entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  const before = `{${[...written.slice(0, place), '"data":'].join(',')}`
  const after = `${['', ...written.slice(place + 1)].join(',')}}`
  return { before, data: frame.data, after }
}

/** A subscription that was not recorded, and is forwarded from the upstream service. */
export class UpstreamStream implements Stream {
  readonly subscribers = new Set<Subscriber>()
  /** No event of the market concerns it. */
  readonly topics: readonly string[] = []
  lastSentMs: number
  readonly stop: () => void
  /** The first frame for later subscribers: of a state the latest, of events the first. */
  private opening: string | null = null
  private lastText = ''

  constructor(
    private readonly hub: SubscriptionHub,
    upstream: Upstream,
    readonly channel: Channel,
    readonly subscription: Record<string, unknown>,
  ) {
    this.lastSentMs = hub.sandbox.clock.nowMs()
    this.stop = upstream.follow(upstreamSubscription(channel, subscription), {
      onFrame: (text) => this.pass(text),
      onLost: (why) => this.broadcast(channel.dialect.error(`no pushes from upstream: ${why}`)),
    })
  }

  openingFrames(): readonly string[] {
    return this.opening === null ? [] : [this.opening]
  }

  /** Upstream frames do not depend on the playhead. */
  restart = () => null

  /** The expiry is part of the upstream frames. */
  isExpired(): boolean {
    return this.lastText.includes('"stale":true')
  }

  onEvent(): void {}

  private pass(text: string): void {
    const isState = this.channel.pushPolicy.stateOf !== undefined
    this.opening = isState ? text : (this.opening ?? text)
    this.lastText = text
    this.lastSentMs = this.hub.sandbox.clock.nowMs()
    this.broadcast(text)
  }

  private broadcast(text: string): void {
    const kind = this.isExpired() ? 'stale' : 'push'
    this.hub.sandbox.coverage.frame(this.channel, this.subscribers, kind)
    for (const subscriber of this.subscribers) subscriber.deliver(this, text)
    this.hub.outgoing.flush()
  }
}

/** The subscription in the form of the upstream socket. */
function upstreamSubscription(
  { id, dialect }: Channel,
  subscription: Record<string, unknown>,
): UpstreamSubscription {
  const path = socketPath(dialect)
  if (dialect.name === 'official') {
    const command = { method: 'subscribe', subscription: { ...subscription, type: id } }
    return { target: path, command: JSON.stringify(command), ping: '{"method":"ping"}' }
  }
  const { address, dex } = subscription
  return {
    target: dex ? `${path}?dex=${encodeURIComponent(String(dex))}` : path,
    command: JSON.stringify({ type: 'subscribe', address: [address] }),
    ping: '{"type":"ping"}',
  }
}

// The available subscriptions where a recording is replayed.

/** Whether a replayed recording has a subscription. */
const isRecorded = ({ world }: Sandbox, id: string): boolean =>
  world.recording?.stream(id) !== undefined

/** The upstream service for subscriptions that were not recorded; null where it is not used. */
export const upstreamOf = ({ world, config }: Sandbox): Upstream | null =>
  (world.recording && config.miss === 'upstream' && world.upstream) || null

/** Whether a subscription has a source. */
export const exists = (
  sandbox: Sandbox,
  id: string,
  channel: Channel,
  subscription: Record<string, unknown>,
): boolean =>
  isRecorded(sandbox, id) ||
  upstreamOf(sandbox) !== null ||
  (channel.exists?.(subscription as never, sandbox.facts()) ?? true)

/** Why a subscription that was not recorded is refused; null where it is not. */
export function missedSubscription(sandbox: Sandbox, id: string): string | null {
  const { recording } = sandbox.world
  const { miss } = sandbox.config
  if (!recording || miss === 'world' || isRecorded(sandbox, id)) return null
  if (miss === 'refuse') return recording.missedStream(id)
  return upstreamOf(sandbox) ? null : 'the server was started without --upstream'
}
