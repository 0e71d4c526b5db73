/**
 * The perpetual venue's limits of its sockets (its documentation, Rate limits and user limits). The
 * venue counts by network address; here all sockets of a sandbox are those of one address.
 */
import type { Refusal } from '../../contract/refusal.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Stream } from './stream.ts'

const USERS_MAX = 10
const SUBSCRIPTIONS_MAX = 1_000
const MESSAGES_PER_MINUTE = 2_000
const MINUTE_MS = 60_000

/** Connections at a time, and new ones a minute; null for no limit of those. */
const CONNECTIONS_MAX = {
  '100': { open: 100, newPerMinute: null },
  '10': { open: 10, newPerMinute: 30 },
} as const

export class VenueLimits {
  private connections = 0
  private subscriptions = 0
  /** Number of streams of each account. */
  private readonly streamsOfUsers = new Map<string, number>()
  private readonly messages: MinuteCount
  private readonly newConnections: MinuteCount

  constructor(private readonly sandbox: Pick<Sandbox, 'answers' | 'config' | 'clock'>) {
    // A reset replaces the clock.
    const nowMs = () => sandbox.clock.nowMs()
    this.messages = new MinuteCount(nowMs)
    this.newConnections = new MinuteCount(nowMs)
  }

  /** Counts an opened connection, or a closed one. */
  noteConnection(by: 1 | -1): void {
    this.connections += by
    if (by === 1) this.newConnections.add()
  }

  /** Counts a subscription of a connection. */
  noteSubscription(by: 1 | -1): void {
    this.subscriptions += by
  }

  /** Counts a stream, which all its subscribers share. */
  noteStream({ subscription: { user } }: Pick<Stream, 'subscription'>, by: 1 | -1): void {
    if (typeof user !== 'string') return
    const count = (this.streamsOfUsers.get(user) ?? 0) + by
    if (count > 0) this.streamsOfUsers.set(user, count)
    else this.streamsOfUsers.delete(user)
  }

  /** The refusal of one more connection; null while there is room. */
  connectionRefusal(): Refusal<'connections'> | null {
    const { open, newPerMinute } = CONNECTIONS_MAX[this.sandbox.answers['venue-connections']]
    if (this.areOff) return null
    if (this.connections >= open) return { refused: 'connections', most: open }
    return newPerMinute !== null && this.newConnections.count >= newPerMinute
      ? { refused: 'connections', most: newPerMinute }
      : null
  }

  /** Counts a message from a client; why it is not read, or null. */
  messageFlaw(): string | null {
    if (this.areOff) return null
    if (this.messages.count >= MESSAGES_PER_MINUTE)
      return `Cannot send more than ${MESSAGES_PER_MINUTE} messages per minute.`
    this.messages.add()
    return null
  }

  /** Why one more subscription is refused; null while there is room. */
  subscriptionFlaw({ user }: Record<string, unknown>): string | null {
    if (this.areOff) return null
    if (this.subscriptions >= SUBSCRIPTIONS_MAX)
      return `Cannot subscribe to more than ${SUBSCRIPTIONS_MAX} channels.`
    const isKnown = typeof user !== 'string' || this.streamsOfUsers.has(user)
    return isKnown || this.streamsOfUsers.size < USERS_MAX
      ? null
      : `Cannot track more than ${USERS_MAX} total users.`
  }

  private get areOff(): boolean {
    const { answers, config } = this.sandbox
    return answers['venue-rate-limit'] === 'off' || config.metering === 'off'
  }
}

/** Counts what happens in a minute of the session clock. */
class MinuteCount {
  private minute = Number.NaN
  private counted = 0

  constructor(private readonly nowMs: () => number) {}

  get count(): number {
    return this.minute === this.presentMinute ? this.counted : 0
  }

  add(): void {
    this.counted = this.count + 1
    this.minute = this.presentMinute
  }

  private get presentMinute(): number {
    return Math.floor(this.nowMs() / MINUTE_MS)
  }
}
