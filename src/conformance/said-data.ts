/** What is answered and pushed, found in the declarations: the data and the schema that it has. */

import Memoirist from 'memoirist'
import { CHANNELS, OPERATIONS } from '../contract/catalogue.ts'
import type { Channel } from '../contract/channel.ts'
import type { Method, Operation } from '../contract/operation.ts'
import { isJsonObject } from './parsed-json.ts'
import { isPong, type SocketFrame } from './probe-socket.ts'

/** The operation that a path below the prefix means; undefined for none. */
export const operationAt = (method: Method, path: string): Operation | undefined =>
  ROUTES.find(method, path)?.store

/** The channel of which a frame is a push; undefined for other frames. */
export function channelOf(path: string, frame: SocketFrame): Channel | undefined {
  if (!('data' in frame) || isPong(frame) || frame.type === 'stat') return undefined
  return CHANNELS.find(
    ({ id, dialect }) =>
      dialect.path === path && (dialect.name === 'addresses' || frame.channel === id),
  )
}

/** The data of a push; where `stale` stands is open. */
export const pushedData = (frame: SocketFrame): unknown =>
  'stale' in frame && isJsonObject(frame.data) ? { ...frame.data, stale: frame.stale } : frame.data

const ROUTES = new Memoirist<Operation>()
for (const operation of OPERATIONS)
  if (!operation.profile)
    ROUTES.add(operation.method, operation.path, operation, { ignoreHistory: true })
