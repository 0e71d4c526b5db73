import { assertOrder, assertSame, assertUnique } from '../../assertions.ts'
import type { Case } from '../../case.ts'
import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import type { ProbeSocket, SocketFrame } from '../../probe-socket.ts'
import { objectsOf, retryUntilHeld } from '../../response-reading.ts'
import { someCoin, someTraders } from '../../target-lookups.ts'
import { isIncreasing } from '../../value-checks.ts'
import { acknowledged, dataIn, open, subscribe, unsubscribe, untilPong } from './socket-dialogue.ts'

/** What is pushed when something happens (the service's documentation, Events). */
export const PUSH_CASES: readonly Case[] = [
  {
    id: 'sockets.pushes.fills',
    title: 'a fill is pushed as {type:"data"} to those who follow its address, and to no others',
    checks: ['event.fills', 'record.nativeFill', 'socket.fills'],
    passesTime: true,
    run: async (probe: Probe) => {
      const { followed, pushed } = await following(probe, '/hl/ws/fills')
      for (const { address, oid, tid, crossed, side, px, time } of pushed) {
        probe.assert(
          followed.has(String(address)),
          'its address is one that was asked for',
          address,
        )
        const isNative = Number.isSafeInteger(oid) && Number.isSafeInteger(tid)
        probe.assert(isNative && typeof crossed === 'boolean', 'it is a native fill', { oid, tid })
        const isTrade = (side === 'B' || side === 'A') && typeof px === 'string'
        probe.assert(isTrade && Number.isSafeInteger(time), 'side, px and time are native', side)
      }
      const { address, oid } = pushed.at(-1) as JsonObject
      await retryUntilHeld(probe, async () => {
        const fills = await objectsOf(probe, { path: `/hl/fills/${address}` })
        const isFound = fills.some((row) => Number(row.oid) === oid)
        return isFound ? null : `the fills of ${address} have ${oid} too`
      })
    },
  },
  {
    id: 'sockets.pushes.filled-orders',
    title: 'a filled order is pushed as {type:"data"} with the fields that are listed',
    checks: ['event.filledOrders', 'socket.filledOrders'],
    passesTime: true,
    run: async (probe: Probe) => {
      const { followed, pushed } = await following(probe, '/hl/ws/filled-orders')
      for (const order of pushed) {
        const missing = ORDER_FIELDS.filter((name) => !(name in order))
        assertSame(probe, missing, [], `a filled order has ${missing.join(', ')}`)
        probe.assert(
          followed.has(String(order.address)),
          'its address was asked for',
          order.address,
        )
        probe.assert(Array.isArray(order.children), 'children is a list', order.children)
      }
    },
  },
  {
    id: 'sockets.pushes.states',
    title: 'a changed account is pushed with its channel, its address and its whole state',
    checks: ['event.states', 'socket.states'],
    passesTime: true,
    run: async (probe: Probe) => {
      const { followed, frames } = await following(probe, '/hl/ws/clearinghouse-state')
      for (const frame of frames) {
        const { address, state } = dataIn(frame)
        assertSame(probe, frame.channel, 'clearinghouseState', 'it names its channel')
        probe.assert(followed.has(String(address)), 'its address was asked for', address)
        probe.assert(
          isJsonObject(state) && isJsonObject(state.marginSummary),
          'it has a state',
          frame,
        )
      }
    },
  },
  {
    id: 'sockets.pushes.trades',
    title: 'trades are pushed as a list of that coin that is not empty, and never twice',
    checks: ['channel.trades'],
    passesTime: true,
    run: async (probe: Probe) => {
      const coin = await someCoin(probe)
      const socket = await open(probe)
      await acknowledged(socket, subscribe({ type: 'trades', coin }))
      const received = await listened(probe, socket, SOME)
      const frames = received.filter(({ channel }) => channel === 'trades')
      const seen: unknown[] = []
      for (const { data } of frames) {
        probe.assert(Array.isArray(data) && data.length > 0, 'a push has trades', data)
        for (const trade of data) {
          probe.assert(isJsonObject(trade) && trade.coin === coin, 'they are of the coin', trade)
          seen.push(trade.tid)
        }
      }
      if (seen.length === 0) probe.skip('nothing is traded')
      assertUnique(probe, seen, 'no trade is pushed twice')
    },
  },
  {
    id: 'sockets.pushes.candles',
    title: 'a running candle is pushed again under its time, and the next one begins at its end',
    checks: ['channel.candle'],
    passesTime: true,
    run: async (probe: Probe) => {
      const coin = await someCoin(probe)
      const socket = await open(probe)
      await acknowledged(socket, subscribe({ type: 'candle', coin, interval: '5s' }))
      const received = await listened(probe, socket, SOME)
      const candles = received.filter(({ channel }) => channel === 'candle').map(dataIn)
      if (candles.length < 3) probe.skip('too few candles are pushed')
      const times = [...new Set(candles.map(({ t }) => Number(t)))]
      assertOrder(probe, times, isIncreasing, 'no candle is older than the one before it')
      for (const { t, T } of candles)
        probe.assert(Number(T) === Number(t) + 4999, 'T is the last instant of five seconds', {
          t,
          T,
        })
    },
  },
  {
    id: 'sockets.pushes.ended',
    title: 'after unsubscribing nothing more is pushed',
    checks: ['state.subscription.unsubscribed', 'state.addresses.removed'],
    passesTime: true,
    run: async (probe: Probe) => {
      const coin = await someCoin(probe)
      const node = await open(probe)
      await acknowledged(node, subscribe({ type: 'l2Book', coin }))
      await acknowledged(node, unsubscribe({ type: 'l2Book', coin }))
      const fills = await open(probe, '/hl/ws/fills')
      const address = await someTraders(probe)
      fills.sendJson({ type: 'subscribe', address })
      fills.sendJson({ type: 'unsubscribe', address })
      await untilPong(fills, false)
      await probe.waitUpTo(SPAN_MS)
      for (const socket of [node, fills]) {
        const received = await untilPong(socket, socket === node)
        assertSame(probe, received, [], 'nothing is heard any more')
      }
    },
  },
]

/** Long enough for something to happen, and how often so long. */
const [SPAN_MS, SPANS] = [15_000, 4]
/** Accounts that are followed: something is pushed of states all the time. */
const [STATES, ADDRESSES] = [10, 50]
/** Frames that are enough to compare them. */
const SOME = 8

const ORDER_FIELDS = [
  ...['ts', 'address', 'hash', 'builder', 'builderF', 'status', 'coin', 'side', 'limitPx', 'sz'],
  ...['oid', 'placeTs', 'trigger', 'isTrigger', 'triggerPx', 'children', 'positionTpsl'],
  ...['reduceOnly', 'orderType', 'origSz', 'tif', 'cloid'],
]

/** What is pushed to somebody who follows the latest traders for a while. */
async function following(probe: Probe, path: string) {
  const isOfStates = path.endsWith('state')
  const address = (await someTraders(probe)).slice(0, isOfStates ? STATES : ADDRESSES)
  const socket: ProbeSocket = await open(probe, path)
  socket.sendJson({ type: 'subscribe', address })
  await untilPong(socket, false)
  const frames = await listened(probe, socket, 1, false)
  if (frames.length === 0) probe.skip('nothing happens to the latest traders')
  if (!isOfStates) {
    const wrong = frames.find(({ type }) => type !== 'data')
    probe.assert(!wrong, 'a push is of type data', wrong)
  }
  return { followed: new Set(address), frames, pushed: frames.map(dataIn) }
}

/** What comes until that much has, as long as there is patience. */
async function listened(probe: Probe, socket: ProbeSocket, enough: number, isNode = true) {
  const frames: SocketFrame[] = []
  const listen = async () => {
    frames.push(...(await untilPong(socket, isNode)))
  }
  await probe.listenUntil(() => frames.length >= enough, listen, { spanMs: SPAN_MS, spans: SPANS })
  return frames
}
