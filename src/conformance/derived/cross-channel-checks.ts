/** Checks a channel by another one about the same events. */

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

/** Number of coins and accounts followed on both. */
const [COINS, ACCOUNTS, GROUPED] = [2, 24, 100]
/** Number of accounts whose orders are listed. */
const LISTED = 8
/** Span for events, and for their pushes, ms. */
const SPAN_MS = 20_000
/** Number of spans until there are events. */
const SPANS = { spanMs: SPAN_MS, spans: 4 }
/** Number of changes of a coin after which a push is due; for fills one is enough. */
const ENOUGH = 3

interface CrossChannelCheck {
  channel: string
  /** Checks the filled orders among the events, not each key. */
  ofOrders?: true
  /** The event in a push, as this channel shows it too. */
  event(data: JsonObject): unknown
}

/** A fill of the main dex: those of others and of spot change no followed state. */
const mainFill = ({ coin, tid }: JsonObject) => (/[:@/]/.test(String(coin)) ? null : tid)

/** Channels about the same events in another form. */
export const CROSS_CHANNEL_CHECKS: Readonly<Record<string, CrossChannelCheck>> = {
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
 * Events shown by one channel are pushed on the other, for every key of a connection that was
 * subscribed again after an unsubscription.
 */
export async function judgeCrossChannel(probe: Probe, channel: Channel): Promise<void> {
  const { channel: id, event, ofOrders } = CROSS_CHANNEL_CHECKS[channel.id] as CrossChannelCheck
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
    happened.push(...(await receivedOn(probe, witness, seen)))
    pushed.push(...(await receivedOn(probe, channel, judged)))
  }
  await probe.listenUntil(isEnough, listen, SPANS)
  const filled = ofOrders ? await filledIn(probe, happened) : []
  await probe.waitUpTo(SPAN_MS)
  pushed.push(...(await receivedOn(probe, channel, judged)))
  if (ofOrders) return judgeFilled(probe, filled, pushed)
  const busy = keys.filter((key) => {
    const own = happened.filter((frame) => isOf({ ...key, interval: undefined }, frame))
    return eventsOf(own).size >= (isUser ? 1 : ENOUGH)
  })
  if (busy.length === 0) probe.skip(`too few events occur for ${channel.id}`)
  const missed = busy.find((key) => !pushed.some((frame) => isOf(key, frame)))
  probe.assert(!missed, `events shown on ${id} are pushed on ${channel.id}`, missed)
}

/** Orders with pushed fills that their account's lists show as filled. */
async function filledIn(probe: Probe, fills: readonly SocketFrame[]): Promise<JsonObject[]> {
  const reported = fills.map(({ data }) => data).filter(isJsonObject)
  const addresses = [...new Set(reported.map(({ address }) => String(address)))].slice(0, LISTED)
  const found: JsonObject[] = []
  for (const address of addresses) {
    const own = reported.filter((one) => one.address === address)
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
  if (filled.length === 0) probe.skip('no order is filled that should be pushed')
  const oids = new Set(pushed.map(({ data }) => (isJsonObject(data) ? Number(data.oid) : null)))
  const missed = filled.find(({ oid }) => !oids.has(Number(oid)))
  probe.assert(!missed, 'an order that is listed as filled was pushed', missed)
}

const eventsIn = ({ data }: SocketFrame, event: CrossChannelCheck['event']): string[] =>
  [data]
    .flat()
    .map((one) => JSON.stringify((isJsonObject(one) ? event(one) : null) ?? null))
    .filter((text) => text !== 'null')

/** Connections that follow these: one for all of them, or one each where necessary. */
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
  // Concurrently: in sequence, the first would be idle too long.
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

async function receivedOn(
  probe: Probe,
  channel: Channel,
  sockets: readonly ProbeSocket[],
): Promise<SocketFrame[]> {
  const received = sockets.map(async (socket) =>
    pushesIn(probe, channel, await untilPong(socket, channel)),
  )
  return (await Promise.all(received)).flat()
}
