/** Snapshots and pushes of channels. */

import { someCoin, someTraders } from '../../example-filler.ts'
import type { Case, Probe } from '../../probe.ts'
import type { ProbeSocket, SocketFrame } from '../../probe-socket.ts'
import {
  assertOrder,
  assertSame,
  assertUnique,
  isClose,
  isIncreasing,
  isJsonObject,
  type JsonObject,
  objectsOf,
  retryUntilHeld,
} from '../../responses.ts'
import {
  acknowledged,
  coinSubscriptions,
  frameData,
  open,
  pushed,
  subscribe,
  unsubscribe,
  untilPong,
} from './subscriptions.ts'

/**
 * Initial pushes, and the form of books and candles (the service's documentation, Events 1 and 2).
 */
export const SNAPSHOT_CASES: readonly Case[] = [
  {
    id: 'sockets.snapshots.first',
    title: 'right after its acknowledgement a subscription pushes the current snapshot',
    checks: ['event.snapshot'],
    run: async (probe: Probe) => {
      for (const subscription of await coinSubscriptions(probe)) {
        // Whether trades have an initial snapshot is open.
        if (subscription.type === 'trades') continue
        const socket = await open(probe)
        await acknowledged(socket, subscribe(subscription))
        const frame = await socket.next()
        probe.assert(frame, `something is pushed after ${subscription.type} is acknowledged`)
        assertSame(probe, frame.channel, subscription.type, `${subscription.type} comes first`)
        const data = frameData(frame)
        const coin = data.coin ?? data.s
        assertSame(probe, coin, subscription.coin, 'it is of the requested coin')
      }
    },
  },
  {
    id: 'sockets.snapshots.book',
    title: 'a pushed book has bids that fall and asks that rise, of text, and a whole time',
    checks: ['channel.l2Book', 'event.bookTime'],
    run: async (probe: Probe) => {
      const { bids, asks, time } = await book(probe, {})
      for (const level of [...bids, ...asks]) {
        const isText = typeof level.px === 'string' && typeof level.sz === 'string'
        probe.assert(isText && Number.isInteger(level.n), 'a level is px, sz and n', level)
      }
      assertOrder(probe, prices(asks), isIncreasing, 'asks rise by price')
      assertOrder(probe, prices(bids).reverse(), isIncreasing, 'bids fall by price')
      const [bid = 0, ask = Infinity] = [prices(bids)[0], prices(asks)[0]]
      probe.assert(bid < ask, 'the best bid is below the best ask', { bid, ask })
      probe.assert(Number.isSafeInteger(time), 'time is whole milliseconds', time)
    },
  },
  {
    id: 'sockets.snapshots.figures',
    title: 'nSigFigs is how many significant figures the prices of a book have',
    checks: ['channel.l2Book.nSigFigs'],
    run: async (probe: Probe) => {
      for (const nSigFigs of [2, 3, 4, 5]) {
        const { bids, asks } = await book(probe, { nSigFigs })
        const wrong = [...bids, ...asks].filter(({ px }) => figures(Number(px)) > nSigFigs)
        assertSame(probe, wrong, [], `prices have at most ${nSigFigs} figures`)
      }
    },
  },
  {
    id: 'sockets.snapshots.candle',
    title: 'a candle has a, and nb, vb and ab as the taker-buy parts of n, v and a',
    checks: ['channel.candle.extras', 'channel.candle.intervals'],
    run: async (probe: Probe) => {
      const coin = await someCoin(probe)
      for (const interval of ['1s', '1m', '1h', '4h']) {
        const socket = await open(probe)
        await acknowledged(socket, subscribe({ type: 'candle', coin, interval }))
        const data = frameData(await pushed(socket, 'candle', `a candle of ${interval} is pushed`))
        probe.assert(data.i === interval && data.s === coin, 'it is the requested one', data)
        const flaw = candleFlaw(data)
        probe.assert(flaw === null, flaw ?? '', data)
      }
    },
  },
]

async function book(probe: Probe, more: JsonObject) {
  const coin = await someCoin(probe)
  const socket = await open(probe)
  await acknowledged(socket, subscribe({ type: 'l2Book', coin, ...more }))
  const data = frameData(await pushed(socket, 'l2Book', 'a book is pushed'))
  const { levels } = data
  const isPair = Array.isArray(levels) && levels.length === 2 && levels.every(Array.isArray)
  probe.assert(isPair, 'levels are bids and asks', data)
  const [bids = [], asks = []] = levels as unknown[][]
  probe.assert(
    bids.every(isJsonObject) && asks.every(isJsonObject),
    'every level is an object',
    data,
  )
  return { bids, asks, time: data.time }
}

const prices = (levels: readonly JsonObject[]) => levels.map(({ px }) => Number(px))

/** Significant figures of a price. */
function figures(price: number): number {
  const digits = price.toString().replace('.', '').replace(/^0+/, '')
  return digits.replace(/0+$/, '').length
}

function candleFlaw(candle: JsonObject): string | null {
  for (const name of ['o', 'h', 'l', 'c', 'v', 'a', 'vb', 'ab'])
    if (typeof candle[name] !== 'string') return `${name} of a candle is text`
  for (const name of ['t', 'T', 'n', 'nb'])
    if (!Number.isSafeInteger(candle[name])) return `${name} of a candle is a whole number`
  const of = (name: string) => Number(candle[name])
  for (const [part, total] of [
    ['nb', 'n'],
    ['vb', 'v'],
    ['ab', 'a'],
  ] as const)
    if (of(part) < 0 || of(part) > of(total)) return `${part} is a part of ${total}`
  if (of('h') < Math.max(of('o'), of('c')) || of('l') > Math.min(of('o'), of('c')))
    return 'h and l enclose o and c'
  const least = of('l') * of('v')
  const max = of('h') * of('v')
  const isTurnover = of('a') >= least * 0.999 - 1 && of('a') <= max * 1.001 + 1
  if (!isTurnover) return 'a is the volume in the quote unit'
  return isClose(of('n'), 0) && of('v') > 0 ? 'a candle with volume has trades' : null
}

/** Pushes of events (the service's documentation, Events). */
export const PUSH_CASES: readonly Case[] = [
  {
    id: 'sockets.pushes.fills',
    title: 'a fill is pushed as {type:"data"} to subscribers of its address only',
    checks: ['event.fills', 'record.nativeFill', 'socket.fills'],
    passesTime: true,
    run: async (probe: Probe) => {
      const { followed, pushed } = await following(probe, '/hl/ws/fills')
      for (const { address, oid, tid, crossed, side, px, time } of pushed) {
        probe.assert(followed.has(String(address)), 'its address is a requested one', address)
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
          'its address was requested',
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
        const { address, state } = frameData(frame)
        assertSame(probe, frame.channel, 'clearinghouseState', 'it names its channel')
        probe.assert(followed.has(String(address)), 'its address was requested', address)
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
      const candles = received.filter(({ channel }) => channel === 'candle').map(frameData)
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
        assertSame(probe, received, [], 'nothing is received any more')
      }
    },
  },
]

/** Long enough for events, and the number of spans. */
const [SPAN_MS, SPANS] = [15_000, 4]
/** Numbers of followed accounts: states are pushed constantly. */
const [STATES, ADDRESSES] = [10, 50]
/** Enough frames for a comparison. */
const SOME = 8

const ORDER_FIELDS = [
  ...['ts', 'address', 'hash', 'builder', 'builderF', 'status', 'coin', 'side', 'limitPx', 'sz'],
  ...['oid', 'placeTs', 'trigger', 'isTrigger', 'triggerPx', 'children', 'positionTpsl'],
  ...['reduceOnly', 'orderType', 'origSz', 'tif', 'cloid'],
]

/** Pushes for the latest traders over a while. */
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
  return { followed: new Set(address), frames, pushed: frames.map(frameData) }
}

/** Frames until there are enough, within the patience. */
async function listened(probe: Probe, socket: ProbeSocket, enough: number, isNode = true) {
  const frames: SocketFrame[] = []
  const listen = async () => {
    frames.push(...(await untilPong(socket, isNode)))
  }
  await probe.listenUntil(() => frames.length >= enough, listen, { spanMs: SPAN_MS, spans: SPANS })
  return frames
}
