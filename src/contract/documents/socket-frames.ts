/** Every frame of a client or the service on a socket path, with its schema. */
import type { Channel } from '../channel.ts'
import type { Dialect } from '../dialect.ts'
import { Address } from '../schema.ts'
import { type Json, plainSchema, shapeOf } from './components.ts'
import { description, withPushPolicy } from './description.ts'

export interface Frame {
  /** Unique on its path. */
  name: string
  /** The operation of a client's frame and its replies. */
  operation: string
  from: 'client' | 'service'
  title: string
  description?: string
  payload: Json
  examples: unknown[]
}

/** The frames of a path: those of the client first. */
export function framesOf(dialect: Dialect, channels: readonly Channel[]): Frame[] {
  const own = dialect.name === 'official' ? officialFrames(channels) : addressFrames()
  const pong = JSON.parse(dialect.pong) as Json
  const error = JSON.parse(dialect.error('the error in the frame')) as Json
  return [
    ...own,
    frame('pong', 'ping', 'service', 'Reply to a heartbeat', shapeOf(pong), [pong]),
    frame('error', 'error', 'service', 'A frame that was not understood', errorSchema(error), [
      error,
    ]),
    ...channels.map((channel) => push(dialect, channel)),
  ]
}

function frame(
  name: string,
  operation: string,
  from: Frame['from'],
  title: string,
  payload: Json,
  examples: unknown[] = [],
): Frame {
  return { name, operation, from, title, payload, examples }
}

const errorSchema = (error: Json): Json =>
  shapeOf(error, { type: 'string', description: 'the error, with the frame' })

/** `method` and `subscription` (the service's documentation, Perpetual-DEX WebSocket; Events). */
function officialFrames(channels: readonly Channel[]): Frame[] {
  const ping = { method: 'ping' }
  const methods = ['subscribe', 'unsubscribe'] as const
  return [
    ...methods.flatMap((method) => channels.map((channel) => officialRequest(method, channel))),
    frame('ping', 'ping', 'client', 'Heartbeat', shapeOf(ping), [ping]),
    ...methods.flatMap((method) => channels.map((channel) => officialReply(method, channel))),
  ]
}

function officialRequest(method: 'subscribe' | 'unsubscribe', channel: Channel): Frame {
  const name = `${channel.id}.${method}`
  const examples = channel.examples.map((subscription) => ({ method, subscription }))
  const payload = {
    type: 'object',
    required: ['method', 'subscription'],
    properties: {
      method: { type: 'string', const: method },
      subscription: plainSchema(channel.subscription),
    },
  }
  return frame(name, method, 'client', `${channel.title}: ${method}`, payload, examples)
}

const STATUS = {
  subscribe: ['subscribed', 'alreadySubscribed'],
  unsubscribe: ['unsubscribed', 'notSubscribed'],
}

function officialReply(method: 'subscribe' | 'unsubscribe', channel: Channel): Frame {
  const counts = {
    status: { type: 'string', enum: STATUS[method] },
    activeCount: {
      type: 'integer',
      minimum: 0,
      description: 'subscriptions of the connection on this channel',
    },
  }
  const properties = {
    method: { type: 'string', const: method },
    subscription: { ...plainSchema(channel.subscription), description: 'as sent by the client' },
    ...(channel.counted ? counts : {}),
  }
  const data = { type: 'object', required: Object.keys(properties), properties }
  const examples = channel.examples.slice(0, 1).map((subscription) => ({
    channel: 'subscriptionResponse',
    data: {
      method,
      subscription,
      ...(channel.counted
        ? { status: STATUS[method][0], activeCount: method === 'subscribe' ? 1 : 0 }
        : {}),
    },
  }))
  const title = `${channel.title}: reply to ${method}`
  const payload = shapeOf({ channel: 'subscriptionResponse', data: null }, data)
  return frame(`${channel.id}.${method}.reply`, method, 'service', title, payload, examples)
}

/**
 * `type` and a set of addresses (the service's documentation, Perpetual-DEX WebSocket, User-channel
 * messages).
 */
function addressFrames(): Frame[] {
  const lists = ['subscribe', 'unsubscribe'].flatMap((type) => {
    const request = { type, address: ['0x0000000000000000000000000000000000000001'] }
    const address = { type: 'array', items: plainSchema(Address()) }
    const reply = { type }
    return [
      frame(type, type, 'client', `Addresses: ${type}`, addressList(type, address), [request]),
      frame(`${type}.reply`, type, 'service', `Reply to ${type}`, shapeOf(reply), [reply]),
    ]
  })
  const stat = { type: 'stat', data: STAT_EXAMPLE }
  return [
    ...lists,
    ...['ping', 'stat', 'close'].map((type) =>
      frame(type, type, 'client', TYPE_TITLES[type] ?? type, shapeOf({ type }), [{ type }]),
    ),
    frame('stat.reply', 'stat', 'service', 'Counters', shapeOf(stat, statData()), [stat]),
  ]
}

const TYPE_TITLES: Record<string, string> = {
  ping: 'Heartbeat',
  stat: 'Asks for the counters of the connection',
  close: 'Closes the connection; no reply',
}

const addressList = (type: string, address: Json): Json => ({
  type: 'object',
  required: ['type', 'address'],
  properties: { type: { type: 'string', const: type }, address },
})

const STAT_EXAMPLE = {
  addressCount: 2,
  duration: '1m5s',
  sentMsgCount: 130,
  msgPerSecond: 2,
  discardedCount: 0,
  queueLen: 0,
}

function statData(): Json {
  const fields = Object.entries(STAT_EXAMPLE).map(([name, value]) => [
    name,
    { type: typeof value === 'string' ? 'string' : name.startsWith('msg') ? 'number' : 'integer' },
  ])
  return {
    type: 'object',
    required: Object.keys(STAT_EXAMPLE),
    properties: Object.fromEntries(fields),
  }
}

function push(dialect: Dialect, channel: Channel): Frame {
  const head = JSON.parse(`${dialect.pushHead(channel.id)}null}`) as Json
  const payload = shapeOf(head, plainSchema(channel.data))
  const stale = { type: 'boolean', const: true, description: 'here if `stale-place` says so' }
  const properties = channel.pushPolicy.stateOf
    ? { ...(payload.properties as Json), stale }
    : payload.properties
  return {
    ...frame(`${channel.id}.push`, 'push', 'service', channel.title, { ...payload, properties }),
    description: description(withPushPolicy(channel)),
  }
}
