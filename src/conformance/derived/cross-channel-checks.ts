/** Checks of a channel by another one that speaks of the same. */

import { CHANNELS } from '../../contract/catalogue.ts'
import type { Channel } from '../../contract/channel.ts'
import { flatOrder } from '../example-filler.ts'
import type { Probe } from '../probe.ts'
import type { ProbeSocket, SocketFrame } from '../probe-socket.ts'
import { isJsonObject, type JsonObject, objectsOf } from '../responses.ts'
import {
  activeKeys,
  asGroup,
  command,
  isOf,
  isOfficial,
  isUserChannel,
  openOn,
  pushesIn,
  subscriptionKeys,
  untilPong,
} from './channel-dialogue.ts'

/** Coins and accounts that are followed on both. */
const [COINS, ACCOUNTS, GROUPED] = [2, 24, 100]
/** Accounts whose lists of orders are asked for. */
const LISTED = 8
/** In which something happens, and in which it has to be pushed, ms. */
const SPAN_MS = 20_000
/** How often so long until something has. */
const SPANS = { spanMs: SPAN_MS, spans: 4 }
/** From so many changes of a coin on something should have been pushed; one fill is enough. */
const ENOUGH = 3

interface Witness {
  channel: string
  /** The filled orders that are listed of what has happened, and not each key, must be told. */
  ofOrders?: true
  /** What of a push changes only when something has happened that this channel tells, too. */
  event(data: JsonObject): unknown
}

/** A fill of the main dex: those of others and of spot change no state that is followed. */
const mainFill = ({ coin, tid }: JsonObject) => (/[:@/]/.test(String(coin)) ? null : tid)

/** Channels that speak of the same in other words. */
export const WITNESSES: Readonly<Record<string, Witness>> = {
  l2Book: { channel: 'bbo', event: ({ bbo }) => bbo },
  bbo: {
    channel: 'l2Book',
    event: ({ levels }) => (Array.isArray(levels) ? levels.map((side) => side?.[0]) : null),
  },
  trades: { channel: 'candle', event: ({ t, n }) => (Number(n) > 1 ? [t, n] : null) },
  candle: { channel: 'trades', event: ({ tid }) => tid },
  userFills: { channel: 'addressFills', event: ({ tid }) => tid },
  clearinghouseState: { channel: 'addressFills', event: mainFill },
  addressFills: { channel: 'userFills', event: ({ fills }) => fills },
  addressClearinghouseState: { channel: 'addressFills', event: mainFill },
  // Some orders are filled by several fills, or never wholly.
  addressFilledOrders: { channel: 'addressFills', event: ({ oid }) => oid, ofOrders: true },
}

/**
 * What one channel shows to have happened is pushed on the other, for every key of a connection
 * that was subscribed to again after its end.
 */
export async function judgeWitness(probe: Probe, channel: Channel): Promise<void> {
  const { channel: id, event, ofOrders } = WITNESSES[channel.id] as Witness
  const witness = CHANNELS.find((one) => one.id === id) as Channel
  await probe.holdTime()
  const isUser = isUserChannel(channel)
  const keysOn = (on: Channel) =>
    isUser
      ? activeKeys(probe, on, ofOrders ? GROUPED : ACCOUNTS)
      : subscriptionKeys(probe, on, COINS)
  const keys = await keysOn(channel)
  const judged = await subscribedTo(probe, channel, keys)
  const seen = await subscribedTo(probe, witness, await keysOn(witness))
  const [happened, pushed]: [SocketFrame[], SocketFrame[]] = [[], []]
  const eventsOf = (frames: readonly SocketFrame[]) =>
    new Set(frames.flatMap((frame) => eventsIn(frame, event)))
  const isEnough = () => eventsOf(happened).size >= (ofOrders ? ENOUGH : 1)
  const listen = async () => {
    happened.push(...(await heardOn(probe, witness, seen)))
    pushed.push(...(await heardOn(probe, channel, judged)))
  }
  await probe.listenUntil(isEnough, listen, SPANS)
  const filled = ofOrders ? await filledIn(probe, happened) : []
  await probe.waitUpTo(SPAN_MS)
  pushed.push(...(await heardOn(probe, channel, judged)))
  if (ofOrders) return judgeFilled(probe, filled, pushed)
  const busy = keys.filter((key) => {
    const own = happened.filter((frame) => isOf({ ...key, interval: undefined }, frame))
    return eventsOf(own).size >= (isUser ? 1 : ENOUGH)
  })
  if (busy.length === 0) probe.skip(`too little happens that ${channel.id} has to push`)
  const missed = busy.find((key) => !pushed.some((frame) => isOf(key, frame)))
  probe.assert(!missed, `what ${id} shows to have happened is pushed on ${channel.id}`, missed)
}

/** Orders of which fills were told, and which the lists of their accounts say to be filled. */
async function filledIn(probe: Probe, fills: readonly SocketFrame[]): Promise<JsonObject[]> {
  const told = fills.map(({ data }) => data).filter(isJsonObject)
  const addresses = [...new Set(told.map(({ address }) => String(address)))].slice(0, LISTED)
  const found: JsonObject[] = []
  for (const address of addresses) {
    const own = told.filter((one) => one.address === address)
    const oids = new Set(own.map(({ oid }) => Number(oid)))
    const request = { path: `/hl/filled-orders/${address}/latest`, query: { limit: 200 } }
    const orders = (await objectsOf(probe.lookup, request)).map(flatOrder)
    found.push(...orders.filter(({ oid, status }) => oids.has(Number(oid)) && status === 'filled'))
  }
  return found
}

function judgeFilled(
  probe: Probe,
  filled: readonly JsonObject[],
  pushed: readonly SocketFrame[],
): void {
  if (filled.length === 0) probe.skip('no order is filled that would have to be pushed')
  const oids = new Set(pushed.map(({ data }) => (isJsonObject(data) ? Number(data.oid) : null)))
  const missed = filled.find(({ oid }) => !oids.has(Number(oid)))
  probe.assert(!missed, 'an order that is listed as filled was pushed', missed)
}

const eventsIn = ({ data }: SocketFrame, event: Witness['event']): string[] =>
  [data]
    .flat()
    .map((one) => JSON.stringify((isJsonObject(one) ? event(one) : null) ?? null))
    .filter((text) => text !== 'null')

/** Connections that follow these: one for all of them, or one for each where there is no other. */
async function subscribedTo(
  probe: Probe,
  channel: Channel,
  keys: readonly JsonObject[],
): Promise<ProbeSocket[]> {
  const groups = !isOfficial(channel)
    ? [[asGroup(keys)]]
    : channel.counted
      ? [keys]
      : keys.map((key) => [key])
  // At the same time: the first would be silent for too long while the last are opened.
  return Promise.all(
    groups.map(async (group) => {
      const socket = await openOn(probe, channel)
      for (const key of group)
        for (const method of ['subscribe', 'unsubscribe', 'subscribe'] as const)
          await command(probe, socket, channel, method, key)
      await untilPong(socket, channel)
      return socket
    }),
  )
}

async function heardOn(
  probe: Probe,
  channel: Channel,
  sockets: readonly ProbeSocket[],
): Promise<SocketFrame[]> {
  const heard = sockets.map(async (socket) =>
    pushesIn(probe, channel, await untilPong(socket, channel)),
  )
  return (await Promise.all(heard)).flat()
}
