/** Follows a channel that pushes states: the newest is what counts. */
import { BACKFILLS } from './backfill.ts'
import type { Element } from './element-form.ts'
import type { Follower, FollowerSettings, Incoming } from './follower.ts'

/** So many older ones in a row are no disorder: the service's time has gone back. */
const OLDER_MAX = 5

/** A book whose time stands for so long while it is sent again has expired. */
const STANDING_MS = 15_000

export class StateFollower implements Follower {
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
    if (this.isResuming) this.settings.tell({ type: 'resumed', fromMs, toMs: timeMs, filled: 0 })
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
    const { ask, tell, deliver, fields } = this.settings
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
    // Nothing lies between a candle and the one after it.
    if (!isWhole && !(toMs - fromMs <= lengthMs))
      tell({ type: 'gap', fromMs, toMs, reason: `the connection was lost; ${flaw}` })
    tell({ type: 'resumed', fromMs, toMs, filled: missing.length })
    for (const push of held) this.receive(push)
  }
}

const BOOKS: ReadonlySet<string> = new Set(['l2Book', 'bbo'])

/** Where a state has its time. */
const TIMES_MS: Readonly<Record<string, (data: Element) => number | undefined>> = {
  l2Book: ({ time }) => time,
  bbo: ({ time }) => time,
  candle: ({ t }) => t,
  clearinghouseState: ({ clearinghouseState }) => clearinghouseState?.time,
  addressClearinghouseState: ({ state }) => state?.time,
}
