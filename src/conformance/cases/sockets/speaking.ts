/** The frames that socket cases say and wait for. */
import { someCoin } from '../../finding-out.ts'
import type { Asked, Probe } from '../../probe.ts'
import type { Frame, ProbeSocket } from '../../probe-socket.ts'
import { isRow, type Row } from '../../reading.ts'

export const NODE = '/hl/ws'
export const USER_PATHS = ['/hl/ws/fills', '/hl/ws/filled-orders', '/hl/ws/clearinghouse-state']

export const subscribe = (subscription: Row) => ({ method: 'subscribe', subscription })
export const unsubscribe = (subscription: Row) => ({ method: 'unsubscribe', subscription })

export const open = (probe: Probe, path = NODE, more: Partial<Asked> = {}) =>
  probe.connect({ path, ...more })

/** What a frame of `/ws` carries. */
export const dataIn = (frame: Frame): Row => (isRow(frame.data) ? frame.data : {})

const isAck = (frame: Frame) => frame.channel === 'subscriptionResponse'

/** Sends a wish on `/ws` and gives the data of its acknowledgement. */
export async function acknowledged(socket: ProbeSocket, wish: Row): Promise<Row> {
  socket.say(wish)
  return dataIn(await socket.until(isAck, `${JSON.stringify(wish)} is acknowledged`))
}

/** The next frame of a channel. */
export const pushed = (socket: ProbeSocket, channel: string, says: string, ms?: number) =>
  socket.until((frame) => frame.channel === channel, says, ms)

/** Frames up to the reply to a ping: everything that was said before it has been answered. */
export async function untilPong(socket: ProbeSocket, isNode = true): Promise<Frame[]> {
  const before: Frame[] = []
  socket.say(isNode ? { method: 'ping' } : { type: 'ping' })
  await socket.until((frame) => {
    if (isPong(frame)) return true
    before.push(frame)
    return false
  }, 'a ping is answered')
  return before
}

/** A reply to a ping, in either of its forms (open). */
export const isPong = (frame: Frame) => frame.channel === 'pong' || frame.type === 'pong'

/** A subscription to each coin channel, of one coin. */
export async function coinSubscriptions(probe: Probe): Promise<Row[]> {
  const coin = await someCoin(probe)
  return [
    { type: 'l2Book', coin },
    { type: 'bbo', coin },
    { type: 'trades', coin },
    { type: 'candle', coin, interval: '1m' },
  ]
}
