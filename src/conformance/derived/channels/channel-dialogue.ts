/** Speaking with a channel in its dialect, and judging what it pushes. */
import type { Channel } from '../../../contract/channel.ts'
import { returnFlaw } from '../../margin-returns.ts'
import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import type { ProbeSocket, SocketFrame } from '../../probe-socket.ts'
import { channelOf } from '../../said-data.ts'
import { schemaMismatch } from '../../schema-mismatch.ts'
import { positionsIn } from '../../target-lookups.ts'
import { isSameJson } from '../../value-checks.ts'

export const isOfficial = ({ dialect }: Channel): boolean => dialect.name === 'official'

/** Whether a connection follows one account only. */
export const isOneAtATime = (channel: Channel): boolean => isOfficial(channel) && !channel.counted

/** A connection on which the channel is spoken. */
export const openOn = (probe: Probe, { dialect }: Channel): Promise<ProbeSocket> =>
  probe.connect({ path: dialect.path })

/** Subscribes, or ends it; the acknowledgement is judged and answered. */
export async function command(
  probe: Probe,
  socket: ProbeSocket,
  channel: Channel,
  method: 'subscribe' | 'unsubscribe',
  key: JsonObject,
): Promise<SocketFrame[]> {
  return (await exchanged(probe, socket, channel, method, key)).before
}

/** A command, what was heard before its reply, and the reply. */
export async function exchanged(
  probe: Probe,
  socket: ProbeSocket,
  channel: Channel,
  method: 'subscribe' | 'unsubscribe',
  key: JsonObject,
): Promise<{ before: SocketFrame[]; reply: SocketFrame }> {
  const before: SocketFrame[] = []
  const request = isOfficial(channel)
    ? { method, subscription: key }
    : { type: method, address: [key.address].flat() }
  socket.sendJson(request)
  const reply = await socket.waitFor((frame) => {
    const isReply = isOfficial(channel)
      ? frame.channel === 'subscriptionResponse'
      : frame.type === method
    if (!isReply) before.push(frame)
    return isReply
  }, `${method} of ${channel.id} is acknowledged`)
  if (isOfficial(channel)) judgeAcknowledgement(probe, channel, reply, method, key)
  else probe.assert(Object.keys(reply).join() === 'type', 'the reply is its type alone', reply)
  return { before, reply }
}

function judgeAcknowledgement(
  probe: Probe,
  { id, counted }: Channel,
  reply: SocketFrame,
  method: string,
  key: JsonObject,
): void {
  const data = isJsonObject(reply.data) ? reply.data : {}
  probe.assert(data.method === method, `the acknowledgement of ${id} repeats the method`, reply)
  const echoed = isJsonObject(data.subscription) ? data.subscription : {}
  const repeated = Object.fromEntries(Object.keys(key).map((name) => [name, echoed[name]]))
  for (const [name, value] of Object.entries(key))
    probe.assert(isSameJson(echoed[name], value), `it repeats ${name} of the subscription`, {
      expected: key,
      found: repeated,
    })
  for (const name of ['status', 'activeCount'])
    probe.assert(
      name in data === counted,
      `${name} is ${counted ? '' : 'not '}told on ${id}`,
      reply,
    )
}

/** Frames up to the reply to a ping. */
export async function untilPong(socket: ProbeSocket, channel: Channel): Promise<SocketFrame[]> {
  const before: SocketFrame[] = []
  socket.sendJson(isOfficial(channel) ? { method: 'ping' } : { type: 'ping' })
  await socket.waitFor((frame) => {
    const isPong = frame.channel === 'pong' || frame.type === 'pong'
    if (!isPong) before.push(frame)
    return isPong
  }, 'a ping is answered')
  return before
}

/** Those that are pushes of the channel, each judged by its schema. */
export function pushesIn(
  probe: Probe,
  channel: Channel,
  frames: readonly SocketFrame[],
): SocketFrame[] {
  const pushes = frames.filter((frame) => channelOf(channel.dialect.path, frame) === channel)
  const others = frames.filter((frame) => !pushes.includes(frame))
  const misframed = [
    ...pushes.filter((frame) => !isFramed(channel, frame)),
    ...others.filter((frame) => isPushOtherwise(channel, frame)),
  ]
  const words = `a push of ${channel.id} is framed as declared`
  probe.assert(misframed.length === 0, words, misframed[0])
  for (const frame of pushes) {
    const flaw = schemaMismatch(channel.data, withoutStale(frame)) ?? returnFlaw(positionsOf(frame))
    probe.assert(flaw === null, `${channel.id}: ${flaw}`, frame)
  }
  return pushes
}

/** What is named as a push is and has no data, or has its data under another name. */
const isPushOtherwise = (channel: Channel, frame: SocketFrame): boolean =>
  'data' in frame
    ? schemaMismatch(channel.data, frame.data) === null
    : isOfficial(channel)
      ? frame.channel === channel.id
      : frame.type === 'data' || frame.channel === 'clearinghouseState'

/** Positions of the account state that a push carries. */
const positionsOf = ({ data }: SocketFrame): JsonObject[] =>
  isJsonObject(data) ? positionsIn({ state: data.state ?? data.clearinghouseState }) : []

/** On the paths of many addresses a state names its channel, everything else is `data`. */
const isFramed = (channel: Channel, frame: SocketFrame): boolean =>
  isOfficial(channel) ||
  (channel.id === 'addressClearinghouseState'
    ? frame.channel === 'clearinghouseState'
    : frame.type === 'data')

/** Where `stale` stands is open; it is true where it is there. */
export const isStale = (frame: SocketFrame): boolean =>
  frame.stale === true || (isJsonObject(frame.data) && frame.data.stale === true)

export function withoutStale({ data }: SocketFrame): unknown {
  if (!isJsonObject(data) || data.stale !== true) return data
  const { stale: _, ...rest } = data
  return rest
}

/** Whether a push is of what was subscribed to. */
export function isOf(key: JsonObject, { data }: SocketFrame): boolean {
  const said = Array.isArray(data) ? data[0] : data
  if (!isJsonObject(said)) return false
  const accounts = [key.user ?? key.address ?? []].flat().map(lowered)
  const isDex = key.dex === undefined || said.dex === undefined || said.dex === key.dex
  if (accounts.length > 0) return isDex && accounts.includes(lowered(said.user ?? said.address))
  const isInterval = key.interval === undefined || said.i === undefined || said.i === key.interval
  return (said.coin ?? said.s) === key.coin && isInterval
}

const lowered = (value: unknown) => String(value).toLowerCase()
