import { assertOrder, assertSame } from '../../assertions.ts'
import type { Case } from '../../case.ts'
import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import { someCoin } from '../../target-lookups.ts'
import { isClose, isIncreasing } from '../../value-checks.ts'
import {
  acknowledged,
  coinSubscriptions,
  dataIn,
  open,
  pushed,
  subscribe,
} from './socket-dialogue.ts'

/**
 * What is pushed first, and how books and candles look (the service's documentation, Events 1 and
 * 2).
 */
export const SNAPSHOT_CASES: readonly Case[] = [
  {
    id: 'sockets.snapshots.first',
    title: 'right after its acknowledgement a subscription pushes the current snapshot',
    checks: ['event.snapshot'],
    run: async (probe: Probe) => {
      for (const subscription of await coinSubscriptions(probe)) {
        // Whether trades have a first snapshot is open.
        if (subscription.type === 'trades') continue
        const socket = await open(probe)
        await acknowledged(socket, subscribe(subscription))
        const frame = await socket.next()
        probe.assert(frame, `something is pushed after ${subscription.type} is acknowledged`)
        assertSame(probe, frame.channel, subscription.type, `${subscription.type} comes first`)
        const data = dataIn(frame)
        const coin = data.coin ?? data.s
        assertSame(probe, coin, subscription.coin, 'it is of the coin that was asked for')
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
        const data = dataIn(await pushed(socket, 'candle', `a candle of ${interval} is pushed`))
        probe.assert(data.i === interval && data.s === coin, 'it is the one asked for', data)
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
  const data = dataIn(await pushed(socket, 'l2Book', 'a book is pushed'))
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
