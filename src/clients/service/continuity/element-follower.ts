/** Follows a channel of events: each trade or fill is emitted once. */

import type { SystemClock } from '../../../clock/system-clock.ts'
import { deferred } from '../../../platform/deferred.ts'
import type { Checker } from '../checking/checker.ts'
import type { PushInfo, StreamEvent } from '../streams/subscription.ts'
import { type Ask, BACKFILLS, type Backfill } from './backfill.ts'
import type { Element, ElementForm } from './element-form.ts'

/** Time to wait for the snapshot after a resumption, where nothing else fills the gap. */
const SNAPSHOT_WAIT_MS = 2000

const NEWS = { stale: false, isSnapshot: false, isBackfill: false }

export class ElementFollower implements Follower {
  lastMs: number | null = null
  /** Nothing before this is emitted, as earlier elements may be incomplete. */
  private floorMs: number | null = null
  private readonly seen = new SeenKeys()
  private readonly chain: PositionChain | null
  private readonly audit: { count(timeMs: number): void } | null
  /** Pushes that wait for the backfill before them. */
  private held: Incoming[] | null = null
  private firstHeld = deferred<void>()
  private again: string | null = null

  constructor(
    private readonly settings: FollowerSettings,
    private readonly form: ElementForm,
  ) {
    const { channel, fields } = settings
    const isFills = channel === 'userFills' || channel === 'addressFills'
    this.chain = isFills && !fields.aggregateByTime ? new PositionChain() : null
    this.audit = channel === 'trades' ? tradeAudit(settings) : null
  }

  receive(push: Incoming): boolean {
    if (this.held) {
      this.held.push(push)
      this.firstHeld.resolve()
      return true
    }
    return this.isSnapshot(push) ? this.takeSnapshot(push) : this.takeNews(push)
  }

  isNews(data: unknown): boolean {
    return this.unseenOf(this.form.elements(data as Element)).length > 0
  }

  subscribed(): void {
    if (this.floorMs === null) this.floorMs = this.settings.serviceMs()
    else this.missed('the connection was lost')
  }

  missed(why: string): void {
    if (this.held) this.again = why
    else void this.catchUp(why)
  }

  private takeNews({ data }: Incoming): boolean {
    const all = this.form.elements(data as Element)
    const unseen = this.unseenOf(all)
    if (unseen.length === 0) return false
    if (this.chain && !this.followsOn(unseen)) {
      this.missed('a fill is missing before this one')
      this.receive({ data, stale: false, isFirst: false })
      return true
    }
    this.deliver(unseen, NEWS, unseen.length === all.length ? data : undefined)
    return true
  }

  private takeSnapshot({ data, isFirst }: Incoming): boolean {
    const elements = this.form.elements(data as Element)
    this.chain?.begin(elements)
    const unseen = this.unseenOf(elements)
    const info = { stale: false, isSnapshot: isFirst, isBackfill: !isFirst }
    this.deliver(unseen, info, unseen.length === elements.length ? data : undefined)
    return unseen.length > 0
  }

  /** It is marked as one, or is newest first over more than one instant. */
  private isSnapshot({ data, isFirst }: Incoming): boolean {
    if (!this.form.hasSnapshot) return false
    const { isSnapshot } = data as { isSnapshot?: unknown }
    if (isSnapshot !== undefined || !Array.isArray(data)) return isSnapshot === true
    const times = data.map(this.form.timeMs)
    return (isFirst && this.lastMs === null) || (times[0] ?? 0) > (times.at(-1) ?? 0)
  }

  private followsOn(fills: readonly Element[]): boolean {
    return fills.map((fill) => this.chain?.follows(fill)).every(Boolean)
  }

  /** The elements that were not emitted yet, each once. */
  private unseenOf(elements: readonly Element[]): Element[] {
    const keys = new Set<string | number>()
    return elements.filter((one) => {
      const key = this.form.key(one)
      if (this.seen.has(key) || keys.has(key)) return false
      keys.add(key)
      return true
    })
  }

  private deliver(elements: readonly Element[], info: typeof NEWS, as?: unknown): void {
    if (elements.length === 0 && !(info.isSnapshot && as !== undefined)) return
    // The machine's clock may be ahead: the floor is no later than emitted elements.
    if (!info.isBackfill || this.lastMs === null) this.lowerFloor(elements)
    for (const one of elements) {
      this.seen.add(this.form.key(one))
      this.audit?.count(this.form.timeMs(one))
      this.lastMs = Math.max(this.lastMs ?? 0, this.form.timeMs(one))
    }
    const pushes = as === undefined ? this.form.pushes(elements, this.settings.fields) : [as]
    for (const push of pushes) this.settings.deliver(push, info)
  }

  private lowerFloor(reported: readonly Element[]): void {
    const times = reported.map(this.form.timeMs)
    this.floorMs = Math.min(this.floorMs ?? Number.POSITIVE_INFINITY, ...times)
  }

  /** Fetches and emits missed elements, then the pushes received meanwhile. */
  private async catchUp(why: string): Promise<void> {
    const fromMs = this.lastMs ?? this.floorMs ?? this.settings.serviceMs()
    this.held = []
    this.firstHeld = deferred()
    let fetched: Backfill = { elements: [], extent: 'overlap' }
    let flaw = 'no operation tells it'
    try {
      const source = this.settings.ask && BACKFILLS[this.settings.channel]
      if (source && this.settings.ask)
        fetched = await source(this.settings.ask, this.settings.fields, fromMs)
    } catch (error) {
      flaw = String((error as Error).message)
    }
    if (fetched.extent !== 'whole' && this.form.hasSnapshot) await this.snapshotHeld()
    this.fill(fetched, fromMs, `${why}; ${flaw}`)
    const { again } = this
    this.again = null
    if (again !== null) await this.catchUp(again)
  }

  private async snapshotHeld(): Promise<void> {
    const cancel = this.settings.systemClock.startTimer(SNAPSHOT_WAIT_MS, this.firstHeld.resolve)
    await this.firstHeld.promise
    cancel()
  }

  private fill({ elements, extent }: Backfill, fromMs: number, why: string): void {
    const { timeMs, key } = this.form
    const held = this.held ?? []
    this.held = null
    const snapshots = held.filter((push) => this.isSnapshot(push))
    const known = snapshots.flatMap(({ data }) =>
      [...this.form.elements(data as Element)].reverse(),
    )
    const all = [...elements, ...known].filter((one) => timeMs(one) >= (this.floorMs ?? 0))
    const overlaps = all.some((one) => this.seen.has(key(one)) || timeMs(one) <= fromMs)
    const missing = this.unseenOf(all).sort((one, other) => timeMs(one) - timeMs(other))
    const news = held.filter((push) => !snapshots.includes(push))
    const waiting = news.flatMap(({ data }) => [...this.form.elements(data as Element)])
    this.chain?.clear(extent === 'whole' ? [...missing, ...waiting] : undefined)
    this.followsOn(missing)
    const after = [...missing, ...waiting]
    const toMs = after.length === 0 ? null : Math.min(...after.map(timeMs))
    this.deliver(missing, { stale: false, isSnapshot: false, isBackfill: true })
    if (extent !== 'whole' && !overlaps)
      this.settings.emit({ type: 'gap', fromMs, toMs, reason: why })
    this.settings.emit({ type: 'resumed', fromMs, toMs: this.lastMs, filled: missing.length })
    for (const push of news) this.receive(push)
  }
}

const tradeAudit = ({ auditor, ask, fields, emit }: FollowerSettings) =>
  auditor && ask
    ? auditor.tradeCounter(ask, fields.coin, (fromMs, reason) =>
        emit({ type: 'gap', fromMs, toMs: fromMs + 59_999, reason }),
      )
    : null

// The keys of emitted elements, to emit none twice. The older half is forgotten.

/** More than twice the longest snapshot. */
const KEYS_MAX = 10_000

class SeenKeys {
  private newer = new Set<string | number>()
  private older = new Set<string | number>()

  has(key: string | number): boolean {
    return this.newer.has(key) || this.older.has(key)
  }

  add(key: string | number): void {
    if (this.newer.size === KEYS_MAX) {
      this.older = this.newer
      this.newer = new Set()
    }
    this.newer.add(key)
  }
}

// Each fill names the position before it: where that does not follow from the last fill, one is
// missing. For perpetuals only: a spot balance has other changes, too.

/** Sizes have at most this many significant decimals. */
const TOLERANCE = 1e-7

class PositionChain {
  private readonly positions = new Map<string, number>()

  /** Whether a fill follows the one before it; it becomes the last one. */
  follows({ coin, side, sz, startPosition }: Element): boolean {
    const start = Number(startPosition)
    const known = this.positions.get(coin)
    const signed = side === 'B' ? Number(sz) : -Number(sz)
    if (SPOT.test(coin)) return true
    this.positions.set(coin, start + signed)
    return (
      known === undefined || Math.abs(known - start) <= TOLERANCE * Math.max(1, Math.abs(start))
    )
  }

  /** Starts with the fills so far, newest first: the next one of a coin follows the newest. */
  begin(fills: readonly Element[]): void {
    for (const fill of fills) if (!this.positions.has(fill.coin)) this.follows(fill)
  }

  /** Forgets the positions of the given fills' coins, or all. */
  clear(fills?: readonly Element[]): void {
    if (fills === undefined) this.positions.clear()
    else for (const { coin } of fills) this.positions.delete(coin)
  }
}

const SPOT = /[@/]/

// Follows a stream: emits its pushes once and in order, and fetches missed ones.

/** The followed stream, and the receiver of its pushes. */
export interface FollowerSettings {
  channel: string
  fields: Readonly<Record<string, unknown>>
  deliver: (data: unknown, info: PushInfo) => void
  emit: (event: StreamEvent) => void
  /** null where nothing is to be fetched. */
  ask: Ask | null
  /** Counts trades against candles; null where they are not counted. */
  auditor: Pick<Checker, 'tradeCounter'> | null
  systemClock: SystemClock
  /** The service's time as far as it is known, ms. */
  serviceMs: () => number
}

/** A received push. */
export interface Incoming {
  data: unknown
  stale: boolean
  /** The first one since the subscription. */
  isFirst: boolean
}

export interface Follower {
  /** The service's time of the latest emitted push, ms; null for none. */
  readonly lastMs: number | null
  /** Handles a push. Whether it is new, and no repetition. */
  receive(push: Incoming): boolean
  /** Whether a push would be new. */
  isNews(data: unknown): boolean
  /** It is subscribed to, for the first time or again. */
  subscribed(): void
  /** Pushes were lost, though the connection holds. */
  missed(why: string): void
}
