/** Follows what a stream pushes: tells it once and in order, and fetches what was missed. */
import type { SystemClock } from '../../../clock/system-clock.ts'
import type { Checker } from '../checking/checker.ts'
import type { PushInfo } from '../streams/push.ts'
import type { StreamEvent } from '../streams/stream-event.ts'
import type { Ask } from './backfill.ts'

/** Of which stream, and to whom it is told. */
export interface FollowerSettings {
  channel: string
  fields: Readonly<Record<string, unknown>>
  deliver: (data: unknown, info: PushInfo) => void
  tell: (event: StreamEvent) => void
  /** null where nothing is to be fetched. */
  ask: Ask | null
  /** Counts trades against candles; null where they are not counted. */
  auditor: Pick<Checker, 'tradeCounter'> | null
  systemClock: SystemClock
  /** The service's time as far as it is known, ms. */
  serviceMs: () => number
}

/** A push as it comes. */
export interface Incoming {
  data: unknown
  stale: boolean
  /** The first one since it was subscribed to. */
  isFirst: boolean
}

export interface Follower {
  /** The service's time of the latest that was told, ms; null for none. */
  readonly lastMs: number | null
  /** Takes a push. Whether it is news, and no repetition. */
  receive(push: Incoming): boolean
  /** Whether a push would be news. */
  isNews(data: unknown): boolean
  /** It is subscribed to, for the first time or again. */
  subscribed(): void
  /** Something is missing, though the connection holds. */
  missed(why: string): void
}
