/** The frames that socket cases say and wait for. */

import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import type { ProbeRequest } from '../../probe-request.ts'
import { isPong, type ProbeSocket, type SocketFrame } from '../../probe-socket.ts'
import { someCoin } from '../../target-lookups.ts'

export const NODE = '/hl/ws'
export const USER_PATHS = ['/hl/ws/fills', '/hl/ws/filled-orders', '/hl/ws/clearinghouse-state']

export const subscribe = (subscription: JsonObject) => ({ method: 'subscribe', subscription })
export const unsubscribe = (subscription: JsonObject) => ({ method: 'unsubscribe', subscription })

export const open = (probe: Probe, path = NODE, more: Partial<ProbeRequest> = {}) =>
  probe.connect({ path, ...more })

/** What a frame of `/ws` carries. */
export const dataIn = (frame: SocketFrame): JsonObject =>
  isJsonObject(frame.data) ? frame.data : {}

const isAck = (frame: SocketFrame) => frame.channel === 'subscriptionResponse'

/** Sends a command on `/ws` and gives the data of its acknowledgement. */
export async function acknowledged(socket: ProbeSocket, command: JsonObject): Promise<JsonObject> {
  socket.sendJson(command)
  return dataIn(await socket.waitFor(isAck, `${JSON.stringify(command)} is acknowledged`))
}

/** The next frame of a channel. */
export const pushed = (socket: ProbeSocket, channel: string, message: string, ms?: number) =>
  socket.waitFor((frame) => frame.channel === channel, message, ms)

/** Frames up to the reply to a ping: everything that was said before it has been answered. */
export async function untilPong(socket: ProbeSocket, isNode = true): Promise<SocketFrame[]> {
  const before: SocketFrame[] = []
  socket.sendJson(isNode ? { method: 'ping' } : { type: 'ping' })
  await socket.waitFor((frame) => {
    if (isPong(frame)) return true
    before.push(frame)
    return false
  }, 'a ping is answered')
  return before
}

/** A subscription to each coin channel, of one coin. */
export async function coinSubscriptions(probe: Probe): Promise<JsonObject[]> {
  const coin = await someCoin(probe)
  return [
    { type: 'l2Book', coin },
    { type: 'bbo', coin },
    { type: 'trades', coin },
    { type: 'candle', coin, interval: '1m' },
  ]
}
