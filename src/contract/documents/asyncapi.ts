/** AsyncAPI 3.0 of every socket path and channel, generated from the contract's list. */

import { CHANNELS } from '../catalogue.ts'
import type { Channel } from '../channel.ts'
import type { Dialect } from '../dialect.ts'
import { PREFIXES } from '../prefixes.ts'
import type { TSchema } from '../schema.ts'
import { Components, type Json, plainSchema, typeName } from './components.ts'
import { accessText, groupTag, INTRODUCTION, SIGNATURE } from './description.ts'
import { type Frame, framesOf } from './socket-frames.ts'

/** The document, under the documented prefix; `send` is what clients receive. */
export function asyncapi(): Json {
  const sockets = [...Map.groupBy(CHANNELS, (channel) => channel.dialect)]
  const components = new Components()
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Perpetual-DEX data, pushed',
      version: PREFIXES[0].split('/').at(-1),
      description: [INTRODUCTION, CONNECTIONS].join('\n\n'),
      license: { name: 'MIT' },
      tags: [groupTag('perpdex')],
    },
    defaultContentType: 'application/json',
    servers: servers(),
    channels: Object.fromEntries(
      sockets.map(([dialect, channels]) => [
        pathName(dialect),
        socket(dialect, channels, components),
      ]),
    ),
    operations: Object.fromEntries(
      sockets.flatMap(([dialect, channels]) => operations(dialect, channels)),
    ),
    components: { schemas: components.schemas },
  }
}

const CONNECTIONS =
  'A connection without a message from the client for 60 s is closed, despite pushes: send a ' +
  'heartbeat every 20 to 30 s. A heartbeat keeps the connection and says nothing about a book.'

function servers(): Json {
  const host = { default: '127.0.0.1:4010', description: 'host and port of the server' }
  const base = { host: '{host}', protocol: 'ws' }
  return {
    default: {
      ...base,
      description: 'the sandbox of the key, or else the default one',
      variables: { host },
    },
    sandbox: {
      ...base,
      pathname: '/s/{sandbox}',
      description: 'one sandbox by its id',
      variables: { host, sandbox: { default: 'default' } },
    },
  }
}

/** `wsFilledOrders` for `/hl/ws/filled-orders`. */
function pathName({ path }: Dialect): string {
  return path.replace('/hl/', '').replace(/[-/](\w)/g, (_, letter: string) => letter.toUpperCase())
}

function socket(dialect: Dialect, channels: readonly Channel[], components: Components): Json {
  const access = [...new Set(channels.map((channel) => accessText(channel.access)))]
  const frames = framesOf(dialect, channels).map(({ name, operation: _, from: __, ...rest }) => {
    const { examples, payload: schema, ...about } = rest
    const payload = components.refer(schema, typeName(`${pathName(dialect)} ${name}`))
    const message = { ...about, payload }
    const shown = examples.map((payload) => ({ payload }))
    return [name, shown.length > 0 ? { ...message, examples: shown } : message]
  })
  return {
    address: `${PREFIXES[0]}${dialect.path}`,
    title: channels.map(({ title }) => title).join(', '),
    description: `${access.join(' ')} The connection is signed like any request.`,
    bindings: { ws: { method: 'GET', query: query(dialect, channels), bindingVersion: '0.1.0' } },
    messages: Object.fromEntries(frames),
  }
}

/** The signature, and the parameters that the address dialect fixes for a whole connection. */
function query({ name }: Dialect, channels: readonly Channel[]): Json {
  const signature = Object.entries(SIGNATURE).map(([field, meaning]) => [
    field,
    { type: 'string', description: meaning },
  ])
  const fixed = name === 'official' ? [] : channels.flatMap(connectionFields)
  return {
    type: 'object',
    required: Object.keys(SIGNATURE),
    properties: Object.fromEntries([...signature, ...fixed]),
  }
}

function connectionFields({ subscription }: Channel): [string, Json][] {
  return Object.entries(subscription.properties as Record<string, TSchema>)
    .filter(([name]) => name !== 'address')
    .map(([name, schema]) => [name, { default: '', ...plainSchema(schema) }])
}

/** A client's frame with its replies, or unsolicited frames of the service. */
function operations(dialect: Dialect, channels: readonly Channel[]): [string, Json][] {
  const name = pathName(dialect)
  const channel = { $ref: `#/channels/${name}` }
  const refer = (frames: readonly Frame[]) =>
    frames.map((frame) => ({ $ref: `#/channels/${name}/messages/${frame.name}` }))
  return [...Map.groupBy(framesOf(dialect, channels), ({ operation }) => operation)].map(
    ([operation, frames]) => {
      const requests = frames.filter(({ from }) => from === 'client')
      const replies = frames.filter(({ from }) => from === 'service')
      const key = `${name}.${operation}`
      const about = { channel, description: ABOUT_OPERATIONS[operation] }
      if (requests.length === 0)
        return [key, { action: 'send', ...about, messages: refer(replies) }]
      const reply = replies.length > 0 ? { reply: { channel, messages: refer(replies) } } : {}
      return [key, { action: 'receive', ...about, messages: refer(requests), ...reply }]
    },
  )
}

const ABOUT_OPERATIONS: Record<string, string> = {
  subscribe: 'A client subscribes; the service replies, and pushes until it unsubscribes.',
  unsubscribe: 'A client ends subscriptions; the service replies.',
  ping: 'A client keeps its connection open; the service replies.',
  stat: 'A client requests the counters of its connection.',
  close: 'A client closes its connection; there is no reply.',
  error: 'The service reports a frame that it did not understand; the connection stays open.',
  push: 'The service pushes what the client has subscribed to.',
}
