/**
 * One distinct subscription and all its subscribers. A frame is made and serialised here once,
 * however many subscribers there are.
 */
import type { Channel } from '../contract/channel.ts'
import type { Facts } from '../contract/facts.ts'
import { rebaseOf } from '../contract/rebase.ts'
import { spanMs } from '../contract/span.ts'
import type { TimelineEvent } from '../contract/timeline.ts'
import type { TapePosition } from '../sandbox/playhead.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { MarketActivity } from './market-activity.ts'

/** Who receives the frames of a stream. */
export interface Subscriber {
  /** Queues a frame. */
  deliver(stream: PushStream, frame: string): void
  /** Hands over what is queued. */
  flush(): void
}

export class PushStream {
  readonly subscribers = new Set<Subscriber>()
  private lastPush: { data: unknown; json: string } | null = null
  /** When anything was last sent. */
  private lastSentMs: number
  private cancelDeferred: (() => void) | null = null
  private cancelRepublish: (() => void) | null = null

  constructor(
    private readonly sandbox: Sandbox,
    private readonly activity: MarketActivity,
    readonly channel: Channel,
    readonly subscription: Record<string, unknown>,
    readonly topics: readonly string[],
  ) {
    this.lastSentMs = sandbox.clock.nowMs()
    this.scheduleRepublish()
  }

  /** The frame that a new subscriber is sent first; null for none. */
  snapshot(facts: Facts): string | null {
    const data = this.channel.snapshot(this.subscription as never, facts)
    if (data === undefined) return null
    const json = this.serialise(data, facts.moment.shiftMs)
    if (this.channel.pushPolicy.stateOf) this.lastPush ??= { data, json }
    if (this.channel.pushPolicy.minGapMs) this.lastSentMs = this.sandbox.clock.nowMs()
    return this.frame(json, this.channel.pushPolicy.stateOf !== undefined && this.isExpired())
  }

  /** An event has happened that this stream may have to push. */
  onEvent(event: TimelineEvent, position: TapePosition): void {
    const gapMs = this.channel.pushPolicy.minGapMs ?? 0
    if (gapMs === 0) return this.pushEvent(event, position)
    if (this.cancelDeferred) return
    const nextMs = this.lastSentMs + gapMs
    if (this.sandbox.clock.nowMs() >= nextMs) return this.pushEvent(event, position)
    const pushDeferred = () => {
      this.cancelDeferred = null
      this.pushEvent(event, this.sandbox.position())
      this.flush()
    }
    this.cancelDeferred = this.sandbox.clock.at(nextMs, pushDeferred, `push of ${this.name}`)
  }

  /** Such as `candle BTC 1m`. */
  private get name(): string {
    const key = this.channel.key.map((field) => this.subscription[field] ?? '')
    return [this.channel.id, ...key].filter((part) => part !== '').join(' ')
  }

  stop(): void {
    this.cancelDeferred?.()
    this.cancelRepublish?.()
  }

  private pushEvent(event: TimelineEvent, position: TapePosition): void {
    const facts = this.sandbox.facts(position)
    const data = this.channel.push(this.subscription as never, event, facts)
    if (data === undefined) return
    const closed = this.finalBefore(data, facts)
    this.send(closed ?? data, position)
    // The one still open waits for its turn: two pushes are never closer than the gap.
    if (closed !== null) this.onEvent(event, position)
  }

  /** What has closed since the last push and was not pushed yet in its final form. */
  private finalBefore(data: unknown, facts: Facts): unknown {
    if (!this.channel.finalBefore || !this.lastPush || this.lastPush.data === data) return null
    const final = this.channel.finalBefore(
      this.subscription as never,
      this.lastPush.data as never,
      facts,
    )
    if (final === undefined) return null
    const json = this.serialise(final, facts.moment.shiftMs)
    const isSame =
      json === this.lastPush.json || json === this.serialise(data, facts.moment.shiftMs)
    return isSame ? null : final
  }

  private send(data: unknown, position: TapePosition): void {
    const json = this.serialise(data, position.shiftMs)
    const isState = this.channel.pushPolicy.minGapMs !== undefined
    if (isState && this.lastPush?.json === json) return
    this.lastPush = { data, json }
    this.lastSentMs = this.sandbox.clock.nowMs()
    this.broadcast(this.frame(json, false))
  }

  private serialise(data: unknown, shiftMs: number): string {
    if (shiftMs === 0) return JSON.stringify(data)
    return JSON.stringify(rebaseOf(this.channel.data)?.(data, shiftMs) ?? data)
  }

  private frame(json: string, stale: boolean): string {
    const head = this.channel.dialect.pushHead(this.channel.id)
    if (!stale) return `${head}${json}}`
    const stalePlace = this.sandbox.answers['stale-place']
    const isList = json.startsWith('[')
    const data = stalePlace === 'frame' || isList ? json : `${json.slice(0, -1)},"stale":true}`
    return `${head}${data}${stalePlace === 'data' && !isList ? '' : ',"stale":true'}}`
  }

  /** Whether its source has been silent for too long; an unchanged market is not silent. */
  private isExpired(): boolean {
    const { answers, clock } = this.sandbox
    const source = this.channel.pushPolicy.stateOf ?? 'market'
    const staleChannels = answers['stale-channels']
    if (staleChannels === 'l2Book' && this.channel.id !== 'l2Book') return false
    if (staleChannels === 'books' && source !== 'book') return false
    const lastMs = this.activity.lastMs(source, this.subscription.coin)
    return clock.nowMs() - lastMs >= spanMs(answers['stale-after'])
  }

  /** Whether it is sent again when it is silent. */
  private get isRepeated(): boolean {
    const { dialect, pushPolicy } = this.channel
    const repeated = this.sandbox.answers['republished-channels']
    if (repeated === 'all') return dialect.name === 'official'
    return repeated === 'books' ? pushPolicy.stateOf === 'book' : pushPolicy.stateOf !== undefined
  }

  private broadcast(frame: string): void {
    for (const session of this.subscribers) session.deliver(this, frame)
  }

  /** One alarm a stream: it checks when the stream last sent a frame, and is set again. */
  private scheduleRepublish(): void {
    if (!this.isRepeated) return
    const pauseMs = spanMs(this.sandbox.answers['republish-after'])
    const { clock } = this.sandbox
    const check = () => {
      if (clock.nowMs() - this.lastSentMs >= pauseMs) this.republish()
      this.scheduleRepublish()
    }
    this.cancelRepublish = clock.at(this.lastSentMs + pauseMs, check, `silence of ${this.name}`)
  }

  private republish(): void {
    this.lastSentMs = this.sandbox.clock.nowMs()
    const json = this.channel.pushPolicy.stateOf ? this.lastPush?.json : this.currentSnapshot()
    if (json === undefined) return
    this.broadcast(this.frame(json, this.isExpired()))
    this.flush()
  }

  /** An event is not pushed twice: a channel of events sends its snapshot again. */
  private currentSnapshot(): string | undefined {
    const facts = this.sandbox.facts()
    const data = this.channel.snapshot(this.subscription as never, facts)
    return data === undefined ? undefined : this.serialise(data, facts.moment.shiftMs)
  }

  /** What an alarm of ours has queued; what the player causes is flushed when it has caught up. */
  private flush(): void {
    for (const session of this.subscribers) session.flush()
  }
}
