/** All connections of a client: which subscription is on which, and who hears what. */
import type { SystemClock } from '../../clock/system-clock.ts'
import { STREAMS } from '../../contract/channels.ts'
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

/** A connection and what is followed on it. */
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

  subscribe(name: keyof typeof STREAMS, wanted: object, listener: Listener<never>): Subscription {
    const channel = STREAMS[name]
    if (channel === undefined) throw new ClientError(String(name), 'there is no such channel')
    const followed = new ActiveSubscription(channel, { ...wanted }, listener)
    const place = this.connectionFor(followed)
    place.subscriptions.add(followed)
    if (place.socket.isOpen) sendSubscribe(place, [followed])
    return { ready: followed.ready, close: () => this.unsubscribe(place, followed) }
  }

  close(): void {
    for (const place of this.connections) place.socket.close()
    this.connections.clear()
  }

  /** One where its pushes can be told from those of others. */
  private connectionFor(followed: ActiveSubscription): PooledConnection {
    const { path } = followed.channel.dialect
    const dex = isOfficial(followed) ? '' : String(followed.fields.dex ?? '')
    const free = [...this.connections].find(
      (place) =>
        place.path === path &&
        place.dex === dex &&
        ![...place.subscriptions].some((other) => other.isAmbiguousWith(followed)),
    )
    return free ?? this.open(path, dex, followed.channel.dialect.name === 'official')
  }

  private open(path: string, dex: string, official: boolean): PooledConnection {
    const { urlOf, sign, systemClock, random } = this.settings
    const place: PooledConnection = {
      path,
      dex,
      subscriptions: new Set(),
      pending: [],
      socket: null as never,
    }
    place.socket = new ReconnectingSocket({
      url: () => urlOf(path, String(new URLSearchParams({ ...sign(), ...withDex(dex) }))),
      ping: official ? '{"method":"ping"}' : '{"type":"ping"}',
      systemClock,
      random,
      onOpen: () => sendSubscribe(place, [...place.subscriptions]),
      onMessage: (text) => this.onFrame(place, text),
      onLost: (code, waitMs) => this.onLost(place, code, waitMs),
    })
    this.connections.add(place)
    return place
  }

  private unsubscribe(place: PooledConnection, followed: ActiveSubscription): void {
    if (!place.subscriptions.delete(followed)) return
    place.socket.send(frameOf(followed, 'unsubscribe'))
    if (place.subscriptions.size > 0) return
    place.socket.close()
    this.connections.delete(place)
  }

  private onLost(place: PooledConnection, code: number, waitMs: number | null): void {
    place.pending = []
    const then = waitMs === null ? 'given up' : `tried again in ${Math.round(waitMs)} ms`
    const error = new ConnectionError(place.path, `closed with ${code}, ${then}`)
    if (waitMs === null) {
      this.connections.delete(place)
      for (const followed of place.subscriptions) followed.refused(error)
    }
    this.settings.onError(error)
  }

  private onFrame(place: PooledConnection, text: string): void {
    const frame = parsed(text)
    const kind = String(frame.channel ?? frame.type)
    if (kind === 'pong') return
    if (kind === 'error') return this.onServiceError(place, String(frame.data))
    if (isReply(frame)) {
      if (isSubscribeReply(frame)) place.pending.shift()?.acknowledged()
      return
    }
    for (const followed of [...place.subscriptions]) {
      const isIts = isOfficial(followed) ? followed.channel.id === kind : 'data' in frame
      if (isIts && followed.matches(frame.data)) followed.deliver(frame.data, frame)
    }
  }

  /** The service does not say to whom it complains; it answers in the order of asking. */
  private onServiceError(place: PooledConnection, words: string): void {
    const followed = place.pending.shift()
    const error = new ConnectionError(followed?.channel.id ?? place.path, words)
    if (followed) {
      place.subscriptions.delete(followed)
      followed.refused(error)
    }
    this.settings.onError(error)
  }
}

const isReply = ({ channel, type }: SubscriptionFields) =>
  channel === 'subscriptionResponse' || type === 'subscribe' || type === 'unsubscribe'

const isSubscribeReply = ({ type, data }: SubscriptionFields) =>
  type === 'subscribe' || (data as SubscriptionFields | undefined)?.method === 'subscribe'

function sendSubscribe(place: PooledConnection, followed: readonly ActiveSubscription[]): void {
  for (const one of followed) {
    place.pending.push(one)
    place.socket.send(frameOf(one, 'subscribe'))
  }
}

function frameOf(
  { channel, fields }: ActiveSubscription,
  method: 'subscribe' | 'unsubscribe',
): object {
  return channel.dialect.name === 'official'
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
