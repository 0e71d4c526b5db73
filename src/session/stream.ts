/**
 * One distinct subscription and everybody who holds it. A frame is made and serialised here once,
 * however many subscribers there are.
 */
import type { Channel } from '../contract/channel.ts'
import type { Facts, Happening } from '../contract/facts.ts'
import { rebaseOf } from '../contract/rebase.ts'
import { spanMs } from '../contract/span.ts'
import type { Position } from '../sandbox/playhead.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { News } from './news.ts'

/** Who hears a stream. */
export interface Subscriber {
  /** Queues a frame. */
  hear(stream: Stream, frame: string): void
  /** Hands over what is queued. */
  flush(): void
}

export class Stream {
  readonly subscribers = new Set<Subscriber>()
  private last: { data: unknown; json: string } | null = null
  /** When anything was last sent. */
  private spokeMs: number
  private cancelGap: (() => void) | null = null
  private cancelSilence: (() => void) | null = null

  constructor(
    private readonly sandbox: Sandbox,
    private readonly news: News,
    readonly channel: Channel,
    readonly subscription: Record<string, unknown>,
    readonly topics: readonly string[],
  ) {
    this.spokeMs = sandbox.clock.nowMs()
    this.awaitSilence()
  }

  /** The frame that a new subscriber is sent first; null for none. */
  snapshot(facts: Facts): string | null {
    const data = this.channel.snapshot(this.subscription as never, facts)
    if (data === undefined) return null
    const json = this.write(data, facts.moment.shiftMs)
    if (this.channel.manners.stateOf) this.last ??= { data, json }
    if (this.channel.manners.minGapMs) this.spokeMs = this.sandbox.clock.nowMs()
    return this.frame(json, this.channel.manners.stateOf !== undefined && this.isExpired())
  }

  /** Something came true that this stream may want to tell. */
  wake(happening: Happening, here: Position): void {
    const gapMs = this.channel.manners.minGapMs ?? 0
    if (gapMs === 0) return this.tell(happening, here)
    if (this.cancelGap) return
    const nextMs = this.spokeMs + gapMs
    if (this.sandbox.clock.nowMs() >= nextMs) return this.tell(happening, here)
    const speak = () => {
      this.cancelGap = null
      this.tell(happening, this.sandbox.here())
      this.flush()
    }
    this.cancelGap = this.sandbox.clock.at(nextMs, speak, `push of ${this.name}`)
  }

  /** Such as `candle BTC 1m`. */
  private get name(): string {
    const key = this.channel.key.map((field) => this.subscription[field] ?? '')
    return [this.channel.id, ...key].filter((part) => part !== '').join(' ')
  }

  stop(): void {
    this.cancelGap?.()
    this.cancelSilence?.()
  }

  private tell(happening: Happening, here: Position): void {
    const facts = this.sandbox.facts(here)
    const data = this.channel.push(this.subscription as never, happening, facts)
    if (data === undefined) return
    const closed = this.closing(data, facts)
    this.send(closed ?? data, here)
    // The running one waits for its turn: two pushes are never closer than the gap.
    if (closed !== null) this.wake(happening, here)
  }

  /** What has closed since the last push and was not told yet in its final form. */
  private closing(data: unknown, facts: Facts): unknown {
    if (!this.channel.before || !this.last || this.last.data === data) return null
    const final = this.channel.before(this.subscription as never, this.last.data as never, facts)
    if (final === undefined) return null
    const json = this.write(final, facts.moment.shiftMs)
    const isSame = json === this.last.json || json === this.write(data, facts.moment.shiftMs)
    return isSame ? null : final
  }

  private send(data: unknown, here: Position): void {
    const json = this.write(data, here.shiftMs)
    const isState = this.channel.manners.minGapMs !== undefined
    if (isState && this.last?.json === json) return
    this.last = { data, json }
    this.spokeMs = this.sandbox.clock.nowMs()
    this.deliver(this.frame(json, false))
  }

  private write(data: unknown, shiftMs: number): string {
    if (shiftMs === 0) return JSON.stringify(data)
    return JSON.stringify(rebaseOf(this.channel.data)?.(data, shiftMs) ?? data)
  }

  private frame(json: string, stale: boolean): string {
    const head = this.channel.dialect.head(this.channel.id)
    if (!stale) return `${head}${json}}`
    const place = this.sandbox.answers['stale-place']
    const isList = json.startsWith('[')
    const data = place === 'frame' || isList ? json : `${json.slice(0, -1)},"stale":true}`
    return `${head}${data}${place === 'data' && !isList ? '' : ',"stale":true'}}`
  }

  /** Whether what it tells of has been silent for too long; an unchanged market is not silent. */
  private isExpired(): boolean {
    const { answers, clock } = this.sandbox
    const source = this.channel.manners.stateOf ?? 'market'
    const told = answers['stale-channels']
    if (told === 'l2Book' && this.channel.id !== 'l2Book') return false
    if (told === 'books' && source !== 'book') return false
    const lastMs = this.news.lastMs(source, this.subscription.coin)
    return clock.nowMs() - lastMs >= spanMs(answers['stale-after'])
  }

  /** Whether it is sent again when it is silent. */
  private get isRepeated(): boolean {
    const { dialect, manners } = this.channel
    const repeated = this.sandbox.answers['republished-channels']
    if (repeated === 'all') return dialect.name === 'official'
    return repeated === 'books' ? manners.stateOf === 'book' : manners.stateOf !== undefined
  }

  private deliver(frame: string): void {
    for (const session of this.subscribers) session.hear(this, frame)
  }

  /** One alarm a stream: it looks when the stream last spoke and sets itself anew. */
  private awaitSilence(): void {
    if (!this.isRepeated) return
    const pauseMs = spanMs(this.sandbox.answers['republish-after'])
    const { clock } = this.sandbox
    const look = () => {
      if (clock.nowMs() - this.spokeMs >= pauseMs) this.repeat()
      this.awaitSilence()
    }
    this.cancelSilence = clock.at(this.spokeMs + pauseMs, look, `silence of ${this.name}`)
  }

  private repeat(): void {
    this.spokeMs = this.sandbox.clock.nowMs()
    const json = this.channel.manners.stateOf ? this.last?.json : this.listing()
    if (json === undefined) return
    this.deliver(this.frame(json, this.isExpired()))
    this.flush()
  }

  /** What happens is not told twice: a channel of such pushes sends its snapshot anew. */
  private listing(): string | undefined {
    const facts = this.sandbox.facts()
    const data = this.channel.snapshot(this.subscription as never, facts)
    return data === undefined ? undefined : this.write(data, facts.moment.shiftMs)
  }

  /** What an alarm of ours has queued; what the player wakes is flushed when it has caught up. */
  private flush(): void {
    for (const session of this.subscribers) session.flush()
  }
}
