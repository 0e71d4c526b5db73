/** The connections of a client, and the streams on each. */
import { ClientError } from '../errors.ts'
import { Connection, type ConnectionSettings } from './connection.ts'
import { Stream, type StreamSettings, type SubscriptionFields } from './stream.ts'
import type { ChannelCall, Listener } from './subscription.ts'
import { type SubscribeOptions, Subscriber, type Subscription } from './subscription.ts'

/** Maximum number of connections and subscriptions of the key. */
export interface SocketLimits {
  connections: number
  subscriptions: number
}

export interface ConnectionPoolSettings {
  connection: ConnectionSettings
  stream: StreamSettings
  /** null for no limit. */
  socketLimits: SocketLimits | null
  onListenerError: (error: unknown, channel: string) => void
}

export class ConnectionPool {
  private readonly connections = new Set<Connection>()
  private isClosed = false

  constructor(private readonly settings: ConnectionPoolSettings) {}

  /** Follows a channel; equal subscriptions are requested once. */
  subscribe(
    channel: ChannelCall,
    wanted: object,
    listener: Listener<never> | null,
    options: SubscribeOptions,
  ): Subscription {
    if (this.isClosed) throw new ClientError(channel.id, 'the client is closed')
    const fields = readFields(channel, wanted)
    const { stream, connection } = this.found(channel, fields) ?? this.begun(channel, fields)
    const drop = (one: Subscriber) => {
      stream.remove(one)
      if (stream.isEmpty) this.end(connection, stream)
    }
    const owner = {
      drop,
      get state() {
        return stream.state
      },
    }
    const onFailure = (error: unknown) => this.settings.onListenerError(error, channel.id)
    const subscriber = new Subscriber(owner, listener, options, onFailure)
    stream.add(subscriber)
    return subscriber
  }

  close(): void {
    this.isClosed = true
    for (const connection of [...this.connections]) {
      connection.close()
      for (const stream of [...connection.streams]) stream.closed()
    }
    this.connections.clear()
  }

  private found(channel: ChannelCall, fields: SubscriptionFields) {
    for (const connection of this.connections)
      for (const stream of connection.streams)
        if (stream.channel.id === channel.id && isEqual(stream.fields, fields))
          return { stream, connection }
    return null
  }

  private begun(channel: ChannelCall, fields: SubscriptionFields) {
    const { socketLimits } = this.settings
    const count = [...this.connections].reduce((sum, { streams }) => sum + streams.size, 0)
    if (socketLimits && count >= socketLimits.subscriptions)
      throw new ClientError(channel.id, boundText('subscription', count, socketLimits))
    const connection = this.connectionFor(channel, fields)
    const stream = new Stream(channel, fields, this.settings.stream, (forMs) =>
      connection.silent(forMs),
    )
    connection.add(stream)
    return { stream, connection }
  }

  /** A connection on which its pushes are distinguishable from those of other streams. */
  private connectionFor(channel: ChannelCall, fields: SubscriptionFields): Connection {
    const dex = channel.isOfficial ? '' : String(fields.dex ?? '')
    const free = [...this.connections].find(
      (connection) =>
        connection.path === channel.path &&
        connection.dex === dex &&
        ![...connection.streams].some((other) => isAmbiguous(other, channel, fields)),
    )
    if (free) return free
    const { socketLimits, connection: settings } = this.settings
    if (socketLimits && this.connections.size >= socketLimits.connections)
      throw new ClientError(
        channel.id,
        boundText('connection', this.connections.size, socketLimits),
      )
    const opened = new Connection(channel, dex, settings, () => this.connections.delete(opened))
    this.connections.add(opened)
    return opened
  }

  private end(connection: Connection, stream: Stream): void {
    if (!connection.streams.has(stream)) return
    connection.remove(stream)
    if (connection.streams.size > 0) return
    connection.close()
    this.connections.delete(connection)
  }
}

function boundText(noun: 'connection' | 'subscription', count: number, limits: SocketLimits) {
  const most = limits[`${noun}s`]
  return `this would be ${noun} ${count + 1}: socketLimits allows ${most}`
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** The given fields; addresses in lower case, as in pushes. */
function readFields(channel: ChannelCall, wanted: object): SubscriptionFields {
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined)
  const fields: Record<string, unknown> = Object.fromEntries(given)
  for (const name of ['user', 'address']) {
    if (!channel.key.includes(name)) continue
    const value = fields[name]
    if (typeof value !== 'string' || !ADDRESS.test(value))
      throw new ClientError(channel.id, `${name} must be 0x and 40 hexadecimal digits`)
    fields[name] = value.toLowerCase()
  }
  return fields
}

const isEqual = (one: SubscriptionFields, other: SubscriptionFields) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every(
    (name) => (one[name] ?? '') === (other[name] ?? ''),
  )

/** Pushes name a coin and an interval, or an address, but no other fields of their subscription. */
function isAmbiguous(
  { channel, fields }: Stream,
  other: ChannelCall,
  wanted: SubscriptionFields,
): boolean {
  if (channel.id !== other.id) return false
  // Address-keyed channels hold one key a connection (the service's documentation, Events).
  if (channel.isOfficial && !channel.isCounted) return true
  return NAMED.every((name) => fields[name] === wanted[name])
}

const NAMED = ['coin', 'interval', 'address']
