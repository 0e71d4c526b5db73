/** What a client follows on a socket, and whom a push concerns. */
import { deferred } from '../../platform/deferred.ts'
import type { ChannelCall } from '../contract-call.ts'

/**
 * `stale`: the book has expired, and this is its last state once more (the service's documentation,
 * Events 1).
 */
export type Listener<D> = (data: D, info: { stale: boolean }) => void

export interface Subscription {
  /** Once the service has acknowledged it; rejects with a ConnectionError when it does not. */
  readonly ready: Promise<void>
  /** Ends it. */
  close(): void
}

export type SubscriptionFields = Record<string, unknown>

export class ActiveSubscription {
  private readonly settling = deferred<void>()
  readonly ready = this.settling.promise

  constructor(
    readonly channel: ChannelCall,
    readonly fields: SubscriptionFields,
    readonly listener: Listener<never>,
  ) {
    // Whoever does not await it must not get an unhandled rejection.
    this.ready.catch(() => {})
  }

  acknowledged(): void {
    this.settling.resolve()
  }

  refused(error: Error): void {
    this.settling.reject(error)
  }

  deliver(data: unknown, frame: { stale?: unknown }): void {
    const inside = (data as { stale?: unknown } | null)?.stale
    this.listener(data as never, { stale: inside === true || frame.stale === true })
  }

  /** Whether a push of its channel is for it. */
  matches(data: unknown): boolean {
    const one = ((Array.isArray(data) ? data[0] : data) ?? {}) as Record<string, unknown>
    return MATCHED_FIELDS.every(([field, ...names]) => {
      const wanted = this.fields[field]
      const given = names.map((name) => one[name]).find((value) => value !== undefined)
      return wanted === undefined || given === undefined || isSame(wanted, given)
    })
  }

  /** Whether pushes of another one could not be told from its own. */
  isAmbiguousWith(other: ActiveSubscription): boolean {
    if (this.channel !== other.channel) return false
    // Address-keyed channels hold one key a connection (the service's documentation, Events).
    if (isOfficial(this) && !this.channel.isCounted) return true
    return MATCHED_FIELDS.every(([field]) => isSame(this.fields[field], other.fields[field]))
  }
}

export const isOfficial = ({ channel }: ActiveSubscription) => channel.isOfficial

/** Fields of a subscription, and where a push says the same. */
const MATCHED_FIELDS = [
  ['coin', 'coin', 's'],
  ['interval', 'i'],
  ['user', 'user'],
  ['address', 'address'],
] as const

const isSame = (one: unknown, other: unknown) =>
  one === other || String(one).toLowerCase() === String(other).toLowerCase()
