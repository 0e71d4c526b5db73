/** All connections of a client: which subscription is on which, and who receives what. */
import type { SystemClock } from '../../clock/system-clock.ts'
import { CHANNEL_CALLS } from '../contract-calls.ts'
import type { Streams } from '../contract-types.ts'
import { ClientError, ConnectionError } from '../errors.ts'
import type { Signer } from '../signer.ts'
import { ReconnectingSocket } from './reconnecting-socket.ts'
import {
  ActiveSubscription,
  isOfficial,
  type Listener,
  type Subscription,
  type SubscriptionFields,
} from './subscription.ts'

export interface ConnectionPoolSettings {
  /** Full address of a socket path with its query. */
  urlOf: (path: string, query: string) => string
  sign: Signer
  systemClock: SystemClock
  random: () => number
  onError: (error: ConnectionError) => void
}

/** A connection and the subscriptions on it. */
interface PooledConnection {
  path: string
  dex: string
  socket: ReconnectingSocket
  subscriptions: Set<ActiveSubscription>
  /** Not yet acknowledged, in the order of asking. */
  pending: ActiveSubscription[]
}

export class ConnectionPool {
  private readonly connections = new Set<PooledConnection>()

  constructor(private readonly settings: ConnectionPoolSettings) {}

  subscribe(name: keyof Streams, wanted: object, listener: Listener<never>): Subscription {
    const channel = CHANNEL_CALLS[name]
    if (channel === undefined) throw new ClientError(String(name), 'there is no such channel')
    const subscription = new ActiveSubscription(channel, { ...wanted }, listener)
    const connection = this.connectionFor(subscription)
    connection.subscriptions.add(subscription)
    if (connection.socket.isOpen) sendSubscribe(connection, [subscription])
    return { ready: subscription.ready, close: () => this.unsubscribe(connection, subscription) }
  }

  close(): void {
    for (const connection of this.connections) connection.socket.close()
    this.connections.clear()
  }

  /** One where its pushes can be told from those of others. */
  private connectionFor(subscription: ActiveSubscription): PooledConnection {
    const { path, isOfficial: official } = subscription.channel
    const dex = isOfficial(subscription) ? '' : String(subscription.fields.dex ?? '')
    const free = [...this.connections].find(
      (connection) =>
        connection.path === path &&
        connection.dex === dex &&
        ![...connection.subscriptions].some((other) => other.isAmbiguousWith(subscription)),
    )
    return free ?? this.open(path, dex, official)
  }

  private open(path: string, dex: string, official: boolean): PooledConnection {
    const { urlOf, sign, systemClock, random } = this.settings
    const connection: PooledConnection = {
      path,
      dex,
      subscriptions: new Set(),
      pending: [],
      socket: null as never,
    }
    connection.socket = new ReconnectingSocket({
      url: () => urlOf(path, String(new URLSearchParams({ ...sign(), ...withDex(dex) }))),
      ping: official ? '{"method":"ping"}' : '{"type":"ping"}',
      systemClock,
      random,
      onOpen: () => sendSubscribe(connection, [...connection.subscriptions]),
      onMessage: (text) => this.onFrame(connection, text),
      onLost: (code, waitMs) => this.onLost(connection, code, waitMs),
    })
    this.connections.add(connection)
    return connection
  }

  private unsubscribe(connection: PooledConnection, subscription: ActiveSubscription): void {
    if (!connection.subscriptions.delete(subscription)) return
    connection.socket.send(frameOf(subscription, 'unsubscribe'))
    if (connection.subscriptions.size > 0) return
    connection.socket.close()
    this.connections.delete(connection)
  }

  private onLost(connection: PooledConnection, code: number, waitMs: number | null): void {
    connection.pending = []
    const then = waitMs === null ? 'given up' : `tried again in ${Math.round(waitMs)} ms`
    const error = new ConnectionError(connection.path, `closed with ${code}, ${then}`)
    if (waitMs === null) {
      this.connections.delete(connection)
      for (const subscription of connection.subscriptions) subscription.refused(error)
    }
    this.settings.onError(error)
  }

  private onFrame(connection: PooledConnection, text: string): void {
    const frame = parsed(text)
    const kind = String(frame.channel ?? frame.type)
    if (kind === 'pong') return
    if (kind === 'error') return this.onServiceError(connection, String(frame.data))
    if (isReply(frame)) {
      if (isSubscribeReply(frame)) connection.pending.shift()?.acknowledged()
      return
    }
    for (const subscription of [...connection.subscriptions]) {
      const isIts = isOfficial(subscription) ? subscription.channel.id === kind : 'data' in frame
      if (isIts && subscription.matches(frame.data)) subscription.deliver(frame.data, frame)
    }
  }

  /** The service does not say which subscription an error is about; it answers in order. */
  private onServiceError(connection: PooledConnection, reason: string): void {
    const subscription = connection.pending.shift()
    const error = new ConnectionError(subscription?.channel.id ?? connection.path, reason)
    if (subscription) {
      connection.subscriptions.delete(subscription)
      subscription.refused(error)
    }
    this.settings.onError(error)
  }
}

const isReply = ({ channel, type }: SubscriptionFields) =>
  channel === 'subscriptionResponse' || type === 'subscribe' || type === 'unsubscribe'

const isSubscribeReply = ({ type, data }: SubscriptionFields) =>
  type === 'subscribe' || (data as SubscriptionFields | undefined)?.method === 'subscribe'

function sendSubscribe(
  connection: PooledConnection,
  subscriptions: readonly ActiveSubscription[],
): void {
  for (const one of subscriptions) {
    connection.pending.push(one)
    connection.socket.send(frameOf(one, 'subscribe'))
  }
}

function frameOf(
  { channel, fields }: ActiveSubscription,
  method: 'subscribe' | 'unsubscribe',
): object {
  return channel.isOfficial
    ? { method, subscription: { type: channel.id, ...fields } }
    : { type: method, address: [fields.address] }
}

const withDex = (dex: string) => (dex === '' ? {} : { dex })

/** What is no JSON object is a frame of no kind. */
function parsed(text: string): SubscriptionFields {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
