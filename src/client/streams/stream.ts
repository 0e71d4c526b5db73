/** What is followed on a connection, once for all who want it. */
import type { SystemClock } from '../../clock/system-clock.ts'
import type { Checker } from '../checking/checker.ts'
import type { Ask } from '../continuity/backfill.ts'
import { ElementFollower } from '../continuity/element-follower.ts'
import { ELEMENT_FORMS } from '../continuity/element-form.ts'
import type { Follower, FollowerSettings } from '../continuity/follower.ts'
import { StateFollower } from '../continuity/state-follower.ts'
import { type ClientError, ConnectionError } from '../errors.ts'
import type { ChannelCall } from './channel-call.ts'
import type { PushInfo } from './push.ts'
import { SilenceWatch } from './silence-watch.ts'
import type { StreamEvent, StreamState } from './stream-event.ts'
import type { Subscriber } from './subscription.ts'

export type SubscriptionFields = Readonly<Record<string, unknown>>

/** What streams of one client have together. */
export interface StreamSettings {
  systemClock: SystemClock
  /** null where pushes are not checked. */
  checker: Checker | null
  ask: Ask | null
  /** How long a stream may be without news, ms; that of its channel where left out. */
  silentAfterMs?: number | null | undefined
  /** null where trades are not counted. */
  auditor: Checker | null
  serviceMs: () => number
  /** Every time of the service that is seen. */
  onServiceMs: (timeMs: number) => void
  onEvent: (stream: Stream, event: StreamEvent) => void
}

/** Channels that are sent again when nothing happens, or that the market seldom lets rest. */
const SILENT_AFTER_MS: Readonly<Record<string, number>> = {
  l2Book: 30_000,
  bbo: 30_000,
  candle: 60_000,
  clearinghouseState: 60_000,
  openOrders: 60_000,
  trades: 60_000,
}

export class Stream {
  state: StreamState = 'waiting'
  private readonly subscribers = new Set<Subscriber>()
  private readonly follower: Follower
  private readonly watch: SilenceWatch
  /** The last state, for who joins later. */
  private last: { data: unknown; info: PushInfo } | null = null
  private isFirst = true
  private isSubscribed = false

  constructor(
    readonly channel: ChannelCall,
    readonly fields: SubscriptionFields,
    private readonly settings: StreamSettings,
    private readonly onSilent: (forMs: number) => void,
  ) {
    const { systemClock, ask, auditor, serviceMs } = settings
    const form = ELEMENT_FORMS[channel.id]
    const followed: FollowerSettings = {
      channel: channel.id,
      fields,
      ask,
      auditor,
      systemClock,
      serviceMs,
      deliver: (data, info) => this.deliver(data, info),
      tell: (event) => this.tell(event),
    }
    this.follower = form ? new ElementFollower(followed, form) : new StateFollower(followed)
    const { silentAfterMs = SILENT_AFTER_MS[channel.id] ?? null } = settings
    this.watch = new SilenceWatch(systemClock, silentAfterMs, (forMs) => this.silent(forMs))
  }

  get isEmpty(): boolean {
    return this.subscribers.size === 0
  }

  /** Whether it is told when it falls silent. */
  get isWatched(): boolean {
    return this.watch.isOn
  }

  /** Waits to be acknowledged, or for a push that shows that it is held. */
  get isPending(): boolean {
    return !this.isSubscribed
  }

  /** Somebody more follows it. */
  add(subscriber: Subscriber): void {
    this.subscribers.add(subscriber)
    if (this.isSubscribed) subscriber.settle(null)
    if (this.last) subscriber.push(this.last.data, { ...this.last.info, isSnapshot: true })
  }

  remove(subscriber: Subscriber): void {
    this.subscribers.delete(subscriber)
    if (this.isEmpty) this.watch.stop()
  }

  acknowledged(): void {
    if (this.isSubscribed) return
    this.isSubscribed = true
    for (const one of this.subscribers) one.settle(null)
    this.become('live')
    this.watch.news()
    this.follower.subscribed()
  }

  /** A push that is for it. */
  receive(data: unknown, isMarkedStale: boolean): void {
    const flaw = this.settings.checker?.pushFlaw(this.channel.id, data)
    if (flaw) return this.tell({ type: 'invalid', path: flaw.path, expected: flaw.expected })
    const { isFirst } = this
    this.isFirst = false
    this.acknowledged()
    if (this.state === 'silent' && this.follower.isNews(data)) {
      this.become('live')
      this.follower.missed('it was silent')
    }
    const isNews = this.follower.receive({ data, stale: isMarkedStale, isFirst })
    // A snapshot of what happened may end long ago.
    const tellsTime = this.channel.isState || !isFirst
    if (tellsTime && this.follower.lastMs !== null) this.settings.onServiceMs(this.follower.lastMs)
    if (isNews) this.watch.news()
  }

  /** Something was discarded on its way. */
  missed(why: string): void {
    this.follower.missed(why)
  }

  lost(code: number, retryMs: number | null): void {
    this.isSubscribed = false
    this.isFirst = true
    this.watch.stop()
    this.state = 'lost'
    this.tell({ type: 'lost', code, retryMs })
  }

  /** It is not followed: the service says so, or says nothing. */
  refused(error: ClientError, reason: string): void {
    this.watch.stop()
    this.state = 'refused'
    for (const one of this.subscribers) one.settle(error)
    this.tell({ type: 'refused', reason, error })
  }

  /** Nobody follows it any more. */
  closed(): void {
    this.watch.stop()
    const error = new ConnectionError(this.channel.id, 'the client is closed')
    for (const one of [...this.subscribers]) {
      one.settle(error)
      one.close()
    }
  }

  /** Says why nothing comes yet to those who wait for it. */
  failed(error: ClientError): void {
    for (const one of this.subscribers) one.settle(error)
  }

  private deliver(data: unknown, info: PushInfo): void {
    if (this.channel.isState) this.last = { data, info }
    if (info.stale && this.state === 'live') {
      this.state = 'stale'
      this.tell({ type: 'stale', sinceMs: this.follower.lastMs })
    } else if (!info.stale && this.state === 'stale') this.become('live')
    for (const one of this.subscribers) one.push(data, info)
  }

  /** All that shows whether the connection still carries anything is silent for so long. */
  unknown(forMs: number): void {
    if (this.isWatched || this.state !== 'live') return
    this.state = 'silent'
    this.tell({ type: 'silent', forMs, sinceMs: this.follower.lastMs })
  }

  private silent(forMs: number): void {
    this.state = 'silent'
    this.tell({ type: 'silent', forMs, sinceMs: this.follower.lastMs })
    this.onSilent(forMs)
  }

  private become(state: 'live'): void {
    if (this.state === state) return
    this.state = state
    this.tell({ type: state })
  }

  private tell(event: StreamEvent): void {
    for (const one of this.subscribers) one.tell(event)
    this.settings.onEvent(this, event)
  }
}
