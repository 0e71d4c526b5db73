/** A followed stream of a connection, shared by all its subscribers. */
import type { SystemClock } from '../../../clock/system-clock.ts'
import type { Checker } from '../checking/checker.ts'
import { type Ask, BACKFILLS } from '../continuity/backfill.ts'
import type { Follower, FollowerSettings, Incoming } from '../continuity/element-follower.ts'
import { ElementFollower } from '../continuity/element-follower.ts'
import { ELEMENT_FORMS, type Element } from '../continuity/element-form.ts'
import { type ClientError, ConnectionError } from '../errors.ts'
import { SilenceWatch } from './reconnecting-socket.ts'
import type { ChannelCall, PushInfo, StreamEvent, StreamState, Subscriber } from './subscription.ts'

export type SubscriptionFields = Readonly<Record<string, unknown>>

/** The shared settings of a client's streams. */
export interface StreamSettings {
  systemClock: SystemClock
  /** null where pushes are not checked. */
  checker: Checker | null
  ask: Ask | null
  /** Time without news after which a stream is silent, ms; that of its channel by default. */
  silentAfterMs?: number | null | undefined
  /** null where trades are not counted. */
  auditor: Checker | null
  serviceMs: () => number
  /** Called with every time of the service. */
  onServiceMs: (timeMs: number) => void
  onEvent: (stream: Stream, event: StreamEvent) => void
}

/** Channels that repeat their state, or of which the market is seldom quiet. */
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
  /** The last state, for later subscribers. */
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
      emit: (event) => this.emit(event),
    }
    this.follower = form ? new ElementFollower(followed, form) : new StateFollower(followed)
    const { silentAfterMs = SILENT_AFTER_MS[channel.id] ?? null } = settings
    this.watch = new SilenceWatch(systemClock, silentAfterMs, (forMs) => this.silent(forMs))
  }

  get isEmpty(): boolean {
    return this.subscribers.size === 0
  }

  /** Whether silence is reported. */
  get isWatched(): boolean {
    return this.watch.isOn
  }

  /** Waits to be acknowledged, or for a push that shows that it is followed. */
  get isPending(): boolean {
    return !this.isSubscribed
  }

  /** Adds a subscriber. */
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

  /** Handles a push for it. */
  receive(data: unknown, isMarkedStale: boolean): void {
    const flaw = this.settings.checker?.pushFlaw(this.channel.id, data)
    if (flaw) return this.emit({ type: 'invalid', path: flaw.path, expected: flaw.expected })
    const { isFirst } = this
    this.isFirst = false
    this.acknowledged()
    if (this.state === 'silent' && this.follower.isNews(data)) {
      this.become('live')
      this.follower.missed('it was silent')
    }
    const isNews = this.follower.receive({ data, stale: isMarkedStale, isFirst })
    // A snapshot of events may end long ago.
    const tellsTime = this.channel.isState || !isFirst
    if (tellsTime && this.follower.lastMs !== null) this.settings.onServiceMs(this.follower.lastMs)
    if (isNews) this.watch.news()
  }

  /** Pushes for it were discarded. */
  missed(why: string): void {
    this.follower.missed(why)
  }

  lost(code: number, retryMs: number | null): void {
    this.isSubscribed = false
    this.isFirst = true
    this.watch.stop()
    this.state = 'lost'
    this.emit({ type: 'lost', code, retryMs })
  }

  /**
   * The service has refused it, or does not respond.
   *
   * @param isFinal whether no push can follow
   */
  refused(error: ClientError, reason: string, isFinal: boolean): void {
    this.watch.stop()
    this.state = 'refused'
    for (const one of this.subscribers) isFinal ? one.fail(error) : one.settle(error)
    this.emit({ type: 'refused', reason, error })
  }

  /** The client has ended it. */
  closed(): void {
    this.watch.stop()
    const error = new ConnectionError(this.channel.id, 'the client is closed')
    for (const one of [...this.subscribers]) {
      one.settle(error)
      one.close()
    }
  }

  /** Rejects waiting subscribers with the reason. */
  failed(error: ClientError): void {
    for (const one of this.subscribers) one.settle(error)
  }

  private deliver(data: unknown, info: PushInfo): void {
    if (this.channel.isState) this.last = { data, info }
    if (info.stale && this.state === 'live') {
      this.state = 'stale'
      this.emit({ type: 'stale', sinceMs: this.follower.lastMs })
    } else if (!info.stale && this.state === 'stale') this.become('live')
    for (const one of this.subscribers) one.push(data, info)
  }

  /** All watched streams of the connection have been silent for so long. */
  unknown(forMs: number): void {
    if (this.isWatched || this.state !== 'live') return
    this.state = 'silent'
    this.emit({ type: 'silent', forMs, sinceMs: this.follower.lastMs })
  }

  private silent(forMs: number): void {
    this.state = 'silent'
    this.emit({ type: 'silent', forMs, sinceMs: this.follower.lastMs })
    this.onSilent(forMs)
  }

  private become(state: 'live'): void {
    if (this.state === state) return
    this.state = state
    this.emit({ type: state })
  }

  private emit(event: StreamEvent): void {
    for (const one of this.subscribers) one.emit(event)
    this.settings.onEvent(this, event)
  }
}

// Follows a channel of states, of which the newest counts.

/** Number of older states in a row that mean that the service's time has gone back. */
const OLDER_MAX = 5

/** A book whose time does not change for so long while it is repeated has expired. */
const STANDING_MS = 15_000

class StateFollower implements Follower {
  lastMs: number | null = null
  private olderInRow = 0
  private advancedMs = 0
  private isResuming = false
  private wasSubscribed = false
  private held: Incoming[] | null = null

  constructor(private readonly settings: FollowerSettings) {}

  receive(push: Incoming): boolean {
    if (this.held) {
      this.held.push(push)
      return true
    }
    const timeMs = this.timeOf(push.data)
    if (this.isOlder(timeMs)) return false
    const nowMs = this.settings.systemClock.monotonicMs()
    const isNews = timeMs === null || this.lastMs === null || timeMs !== this.lastMs
    if (isNews) this.advancedMs = nowMs
    const stands = BOOKS.has(this.settings.channel) && nowMs - this.advancedMs >= STANDING_MS
    const fromMs = this.lastMs
    this.lastMs = timeMs
    const stale = push.stale || stands
    const isSnapshot = push.isFirst && !this.isResuming
    this.settings.deliver(push.data, { stale, isSnapshot, isBackfill: false })
    if (this.isResuming) this.settings.emit({ type: 'resumed', fromMs, toMs: timeMs, filled: 0 })
    this.isResuming = false
    return isNews || !BOOKS.has(this.settings.channel)
  }

  isNews(data: unknown): boolean {
    return this.lastMs === null || (this.timeOf(data) ?? Number.POSITIVE_INFINITY) > this.lastMs
  }

  subscribed(): void {
    if (this.wasSubscribed) this.missed()
    this.wasSubscribed = true
  }

  missed(): void {
    if (this.settings.channel !== 'candle' || this.lastMs === null) this.isResuming = true
    else if (!this.held) void this.fetchCandles(this.lastMs)
  }

  private timeOf(data: unknown): number | null {
    return TIMES_MS[this.settings.channel]?.(data as Element) ?? null
  }

  private isOlder(timeMs: number | null): boolean {
    const isOlder = timeMs !== null && this.lastMs !== null && timeMs < this.lastMs
    this.olderInRow = isOlder ? this.olderInRow + 1 : 0
    return isOlder && this.olderInRow < OLDER_MAX
  }

  /** Candles that have closed meanwhile are no state that the next push replaces. */
  private async fetchCandles(fromMs: number): Promise<void> {
    const { ask, emit, deliver, fields } = this.settings
    this.held = []
    let candles: readonly Element[] = []
    let flaw = 'no operation tells it'
    let isWhole = false
    try {
      const source = ask && BACKFILLS.candle
      if (source) {
        candles = (await source(ask, fields, fromMs)).elements
        isWhole = true
      }
    } catch (error) {
      flaw = String((error as Error).message)
    }
    const held = this.held ?? []
    this.held = null
    const missing = candles.filter(({ t }) => t >= fromMs)
    for (const candle of missing)
      deliver(candle, { stale: false, isSnapshot: false, isBackfill: true })
    this.lastMs = missing.at(-1)?.t ?? this.lastMs
    const toMs = (held[0]?.data as Element | undefined)?.t ?? this.lastMs
    const lengthMs = (held[0]?.data as Element | undefined)?.T - toMs + 1
    // Nothing lies between a candle and the next one.
    if (!isWhole && !(toMs - fromMs <= lengthMs))
      emit({ type: 'gap', fromMs, toMs, reason: `the connection was lost; ${flaw}` })
    emit({ type: 'resumed', fromMs, toMs, filled: missing.length })
    for (const push of held) this.receive(push)
  }
}

const BOOKS: ReadonlySet<string> = new Set(['l2Book', 'bbo'])

/** The time of a state. */
const TIMES_MS: Readonly<Record<string, (data: Element) => number | undefined>> = {
  l2Book: ({ time }) => time,
  bbo: ({ time }) => time,
  candle: ({ t }) => t,
  clearinghouseState: ({ clearinghouseState }) => clearinghouseState?.time,
  addressClearinghouseState: ({ state }) => state?.time,
}
