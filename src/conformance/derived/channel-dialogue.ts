/** Commands of a channel in its dialect, and checks of its pushes. */

import type { Channel } from '../../contract/channel.ts'
import { meaningOf } from '../../contract/meaning.ts'
import { fieldsOf, type Parameter } from '../../contract/parameters.ts'
import type { TSchema } from '../../contract/schema.ts'
import { channelOf } from '../answer-content.ts'
import { schemaMismatch } from '../declared-violations.ts'
import { inventoryOf, positionsIn, someCoins, someTraders } from '../example-filler.ts'
import { returnFlaw } from '../groups/meaning.ts'
import type { Probe } from '../probe.ts'
import type { ProbeSocket, SocketFrame } from '../probe-socket.ts'
import { isJsonObject, isSameJson, type JsonObject } from '../responses.ts'

export const isOfficial = ({ dialect }: Channel): boolean => dialect.name === 'official'

/** Whether a connection follows one account only. */
export const isOneAtATime = (channel: Channel): boolean => isOfficial(channel) && !channel.counted

/** Opens a connection for the channel. */
export const openOn = (probe: Probe, { dialect }: Channel): Promise<ProbeSocket> =>
  probe.connect({ path: dialect.path })

/** Subscribes or unsubscribes; checks and returns the acknowledgement. */
export async function command(
  probe: Probe,
  socket: ProbeSocket,
  channel: Channel,
  method: 'subscribe' | 'unsubscribe',
  key: JsonObject,
): Promise<SocketFrame[]> {
  return (await exchanged(probe, socket, channel, method, key)).before
}

/** A command, the frames before its reply, and the reply. */
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
      `${name} is ${counted ? '' : 'not '}sent on ${id}`,
      reply,
    )
}

/** Reads frames up to the reply to a ping. */
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

/** The channel's pushes among frames, each checked by its schema. */
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

/** Whether a frame named like a push has no data, or has it under another name. */
const isPushOtherwise = (channel: Channel, frame: SocketFrame): boolean =>
  'data' in frame
    ? schemaMismatch(channel.data, frame.data) === null
    : isOfficial(channel)
      ? frame.channel === channel.id
      : frame.type === 'data' || frame.channel === 'clearinghouseState'

/** Positions in a pushed account state. */
const positionsOf = ({ data }: SocketFrame): JsonObject[] =>
  isJsonObject(data) ? positionsIn({ state: data.state ?? data.clearinghouseState }) : []

/** On multi-address paths a state names its channel, everything else is `data`. */
const isFramed = (channel: Channel, frame: SocketFrame): boolean =>
  isOfficial(channel) ||
  (channel.id === 'addressClearinghouseState'
    ? frame.channel === 'clearinghouseState'
    : frame.type === 'data')

/** The place of `stale` is open; it is true where present. */
export const isStale = (frame: SocketFrame): boolean =>
  frame.stale === true || (isJsonObject(frame.data) && frame.data.stale === true)

export function withoutStale({ data }: SocketFrame): unknown {
  if (!isJsonObject(data) || data.stale !== true) return data
  const { stale: _, ...rest } = data
  return rest
}

/** Whether a push belongs to a subscription. */
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

// Subscriptions of a channel: several keys, and every option of one.

/** Subscriptions of a channel with different coins or accounts; up to a number. */
export async function subscriptionKeys(
  probe: Probe,
  channel: Channel,
  count: number,
): Promise<JsonObject[]> {
  const names = isUserChannel(channel) ? await followable(probe) : await someCoins(probe)
  return keysOf(channel, names.slice(0, count))
}

/** Subscriptions to active accounts: holders, traders, and those of the inventory. */
export async function activeKeys(
  probe: Probe,
  channel: Channel,
  count: number,
): Promise<JsonObject[]> {
  const { openPositions } = await inventoryOf(probe)
  const holders = [...new Set(openPositions.map(({ address }) => address))]
  const reported = Object.values(probe.target.inventory?.addresses ?? {}).flatMap(
    (one) => one ?? [],
  )
  const lists = [holders, (await someTraders(probe)).slice(0, TRADING), reported]
  const longest = Math.max(...lists.map(({ length }) => length))
  const inTurns = Array.from({ length: longest }, (_, at) => lists.flatMap((of) => of[at] ?? []))
  return keysOf(channel, [...new Set(inTurns.flat())].slice(0, count))
}

/** Number of latest traders, which come before the most active ones. */
const TRADING = 40

function keysOf(channel: Channel, names: readonly string[]): JsonObject[] {
  const [example = {}] = channel.examples
  const field = fieldOf(channel, 'address') ?? fieldOf(channel, 'coin')
  return names.map((name) => (field ? { ...example, [field.name]: name } : { ...example }))
}

/** One subscription for many accounts where a channel allows it. */
export function asGroup(keys: readonly JsonObject[]): JsonObject {
  return { ...keys[0], address: keys.map(({ address }) => address) }
}

/** Holders and traders, then others. */
async function followable(probe: Probe): Promise<string[]> {
  const { openPositions, people = [] } = await inventoryOf(probe)
  const holders = openPositions.map(({ address }) => address)
  const traders = await someTraders(probe)
  const first = [...holders.slice(0, 4), ...traders.slice(0, 4)]
  return [...new Set([...first, ...people, ...traders, ...holders])]
}

/** Whether a subscription's key is an address. */
export const isUserChannel = (channel: Channel): boolean =>
  fieldOf(channel, 'address') !== undefined

const fieldOf = ({ subscription }: Channel, meaning: 'address' | 'coin'): Parameter | undefined =>
  fieldsOf('body', subscription).find(({ schema }) => meaningOf(schema) === meaning)

/** A subscription with each value of each of its options, itself first. */
export function withOptions(channel: Channel, base: JsonObject): JsonObject[] {
  const options = fieldsOf('body', channel.subscription).filter(
    ({ name, schema }) => name !== 'type' && !['address', 'coin'].includes(meaningOf(schema) ?? ''),
  )
  return [
    base,
    ...options.flatMap(({ name, schema }) =>
      valuesOf(schema).map((value) => ({ ...base, ...COMPANIONS[name], [name]: value })),
    ),
  ]
}

/** Required companions of an option. */
const COMPANIONS: Readonly<Record<string, JsonObject>> = { mantissa: { nSigFigs: 5 } }

/** Every value of a set, both ends of a range; for free text the empty one. */
function valuesOf(schema: TSchema): unknown[] {
  if (schema.anyOf) return (schema.anyOf as TSchema[]).flatMap(valuesOf)
  if (schema.enum) return schema.enum as unknown[]
  if (schema.const !== undefined) return [schema.const]
  if (schema.type === 'boolean') return [true, false]
  if (schema.type === 'integer') return [schema.minimum, schema.maximum]
  return [schema.type === 'null' ? null : '']
}

// Finds the busiest of some accounts by following each for a while.

/** Number of events from which an account is busy. */
const BUSY = 3
/** Long enough for an event, ms. */
const SPAN_MS = 20_000
/** Number of spans: in real time, patience is saved for what is judged. */
const [SPANS, SPANS_OF_REAL_TIME] = [6, 1]
/** Recent times, ms before the latest of all. */
const LATELY_MS = 10 * 60_000

/** Subscriptions to single accounts: the busiest first, then recently active ones. */
export async function busiestFirst(
  probe: Probe,
  channel: Channel,
  keys: readonly JsonObject[],
): Promise<JsonObject[]> {
  // Concurrently: in sequence, the first would be idle too long.
  const followed = await Promise.all(
    keys.map(async (key) => {
      const socket = await openOn(probe, channel)
      const early = await command(probe, socket, channel, 'subscribe', key)
      const first = pushesIn(probe, channel, [...early, ...(await untilPong(socket, channel))])
      return { key, socket, times: first.flatMap(timesIn), count: 0 }
    }),
  )
  const latestMs = Math.max(...followed.flatMap(({ times }) => times.slice(0, 1)))
  const lately = (times: readonly number[]) =>
    times.filter((time) => time > latestMs - LATELY_MS).length
  const most = () => Math.max(...followed.map(({ count }) => count))
  const listen = async () => {
    const received = followed.map(async (one) => {
      const pushed = pushesIn(probe, channel, await untilPong(one.socket, channel))
      // A burst at one instant is not steady activity: spans with a push count.
      one.count += Math.min(1, pushed.length)
    })
    await Promise.all(received)
  }
  const spans = probe.target.control ? SPANS : SPANS_OF_REAL_TIME
  await probe.listenUntil(() => most() >= BUSY, listen, { spanMs: SPAN_MS, spans })
  for (const { socket } of followed) socket.close()
  return followed
    .sort((one, other) => other.count - one.count || lately(other.times) - lately(one.times))
    .map(({ key }) => key)
}

/** Times of the events in a push, the latest first; empty for states. */
function timesIn({ data }: SocketFrame): number[] {
  const lists = isJsonObject(data) && data.isSnapshot === true ? Object.values(data) : []
  const rows = lists.filter(Array.isArray).flat().filter(isJsonObject)
  return rows.map(({ time }) => Number(time)).sort((one, other) => other - one)
}
