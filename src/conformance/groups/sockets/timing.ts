/** Idle sockets, and times of pushes. */

import { someCoin, someOpenPosition } from '../../example-filler.ts'
import type { Case, Probe } from '../../probe.ts'
import { ProbeSocket, type SocketFrame } from '../../probe-socket.ts'
import { among, type Observers } from '../../requirement.ts'
import {
  assertAtLeast,
  assertOrder,
  assertSame,
  isJsonObject,
  isNonDecreasing,
  type JsonObject,
} from '../../responses.ts'
import {
  acknowledged,
  coinSubscriptions,
  frameData,
  NODE,
  open,
  pushed,
  subscribe,
  USER_PATHS,
  untilPong,
} from './subscriptions.ts'

/** Lifetime of an idle connection (the service's documentation, Limits). */
export const IDLE_CASES: readonly Case[] = [
  {
    id: 'sockets.timing.idle',
    title: 'a connection without a message from its client for 60 s is closed, with 1006 or 1000',
    checks: ['state.connection.idle', 'limit.idle.all', 'error.idle'],
    passesTime: true,
    run: async (probe: Probe) => {
      // Where time cannot be held, it passes while a busy machine opens and reads them.
      const openMs = (await probe.holdTime()) ? 59_000 : 50_000
      const all = await onAll(probe)
      await probe.letTimePass(openMs)
      for (const [path, { closeCode }] of all)
        assertSame(probe, closeCode, null, `${path} is open after ${openMs / 1000} s`)
      await probe.letTimePass(61_000 - openMs)
      for (const [path, socket] of all) {
        const code = await socket.closed()
        probe.assert(code === 1006 || code === 1000, `${path} is closed after 61 s`, code)
      }
    },
  },
  {
    id: 'sockets.timing.pushes',
    title: 'pushes of the server do not keep a connection alive',
    checks: ['limit.idle'],
    passesTime: true,
    run: async (probe: Probe) => {
      const coin = await someCoin(probe)
      const socket = await open(probe)
      await acknowledged(socket, subscribe({ type: 'l2Book', coin }))
      await probe.letTimePass(40_000)
      probe.assert((await socket.next()) !== null, 'books are pushed meanwhile')
      await probe.letTimePass(21_000)
      probe.assert((await socket.closed()) !== null, 'it is closed 60 s after the last message')
    },
  },
  {
    id: 'sockets.timing.protocol-pings',
    title: 'a ping of the WebSocket protocol does not keep a connection alive',
    checks: ['limit.idle.protocol'],
    passesTime: true,
    run: async (probe: Probe) => {
      const socket = await open(probe)
      await untilPong(socket)
      for (let pings = 0; pings < 3; pings++) {
        await probe.letTimePass(20_500)
        if (socket.closeCode === null) socket.ping()
      }
      probe.assert((await socket.closed()) !== null, 'it is closed 60 s after the last message')
    },
  },
  {
    id: 'sockets.timing.heartbeat',
    title: 'a heartbeat each 30 s keeps a connection alive, on every path',
    checks: ['limit.heartbeat'],
    passesTime: true,
    run: async (probe: Probe) => {
      const all = await onAll(probe)
      for (let beats = 0; beats < 3; beats++) {
        await probe.letTimePass(30_000)
        for (const [path, socket] of all) await untilPong(socket, path === NODE)
      }
      for (const [path, socket] of all)
        assertSame(probe, socket.closeCode, null, `${path} is open after a minute and a half`)
      probe.judges(all.map(([path]) => path))
    },
  },
]

/** A connection on every path. */
async function onAll(probe: Probe): Promise<[path: string, socket: ProbeSocket][]> {
  const all: [string, ProbeSocket][] = []
  for (const path of [NODE, ...USER_PATHS]) all.push([path, await open(probe, path)])
  return all
}

/** Pushes of books and candles over time (the service's documentation, Limits; Events). */
export const PUSH_TIMING_CASES: readonly Case[] = [
  {
    id: 'sockets.timing.stale',
    title: 'a silent book is repeated, and stale once it has expired, regardless of heartbeats',
    checks: ['event.republish', 'event.stale', 'event.heartbeatOnly'],
    needs: ['control'],
    passesTime: true,
    run: async (probe: Probe) => {
      const { freeze } = probe.target.control ?? {}
      if (!freeze) probe.skip('the market of the target cannot be stopped')
      const coin = await someCoin(probe)
      const socket = await open(probe)
      await acknowledged(socket, subscribe({ type: 'l2Book', coin }))
      const first = await pushed(socket, 'l2Book', 'a book is pushed')
      const thaw = await freeze()
      try {
        const again: SocketFrame[] = []
        for (let spans = 0; spans < 3; spans++) {
          await probe.letTimePass(20_000)
          again.push(...(await untilPong(socket)).filter(({ channel }) => channel === 'l2Book'))
        }
        assertAtLeast(probe, again.length, 2, 'the last book is repeated while nothing happens')
        const times = again.map((frame) => Number(frameData(frame).time))
        const isSame = new Set(times).size === 1
        probe.assert(
          isSame && isNonDecreasing([Number(frameData(first).time), ...times]),
          'time stands still',
          { first: Number(frameData(first).time), times },
        )
        const last = again.at(-1) as SocketFrame
        probe.assert(isStale(last), 'after a minute of silence it is stale', last)
      } finally {
        await thaw()
      }
    },
  },
  {
    id: 'sockets.timing.book-time',
    title: 'time of a pushed book never goes back, and a live book is not stale',
    checks: ['event.bookTime', 'event.stale'],
    passesTime: true,
    run: async (probe: Probe) => {
      const coin = await someCoin(probe)
      const socket = await open(probe)
      await acknowledged(socket, subscribe({ type: 'l2Book', coin }))
      await probe.waitUpTo(20_000)
      const frames = await untilPong(socket)
      const books = frames.filter(({ channel }) => channel === 'l2Book')
      const times = books.map((frame) => Number(frameData(frame).time))
      if (books.length < 3) probe.skip('too few books are pushed')
      assertOrder(probe, times, isNonDecreasing, 'no book is older than the one before it')
    },
  },
  {
    id: 'sockets.timing.quote',
    title: 'a best price that has not changed is not stale while its book lives',
    checks: ['event.stale'],
    passesTime: true,
    run: async (probe: Probe) => {
      const coin = await someCoin(probe)
      const socket = await open(probe)
      for (const type of ['l2Book', 'bbo']) await acknowledged(socket, subscribe({ type, coin }))
      await probe.waitUpTo(20_000)
      const frames = await untilPong(socket)
      const books = frames.filter(({ channel }) => channel === 'l2Book')
      const times = books.map((frame) => Number(frameData(frame).time))
      const gaps = times.slice(1).map((time, at) => time - (times[at] as number))
      if (books.length < 3 || Math.max(...gaps) >= LEAST_EXPIRY_MS)
        probe.skip('too few books are pushed')
      const stale = frames.find((frame) => frame.channel === 'bbo' && isStale(frame))
      assertSame(probe, stale, undefined, 'no best price of a live book is stale')
    },
  },
  {
    id: 'sockets.timing.candle-gap',
    title: 'two pushes of a candle are at least half a second apart',
    checks: ['limit.candleGap'],
    needs: ['control'],
    passesTime: true,
    run: async (probe: Probe) => {
      const coin = await someCoin(probe)
      const socket = await open(probe)
      await acknowledged(socket, subscribe({ type: 'candle', coin, interval: '1m' }))
      await untilPong(socket)
      // The clock is held from the first step on: pushes belong to that tenth of a second.
      await probe.letTimePass(100)
      await untilPong(socket)
      const at: number[] = []
      for (let step = 0; step < STEPS_MAX && at.length < ENOUGH; step++) {
        await probe.letTimePass(100)
        const frames = await untilPong(socket)
        at.push(...frames.filter(({ channel }) => channel === 'candle').map(() => step))
      }
      if (at.length < 3) probe.skip('too few candles are pushed')
      const gaps = at.slice(1).map((step, index) => step - (at[index] as number))
      probe.assert(Math.min(...gaps) >= 5, 'no two come within five tenths of a second', gaps)
    },
  },
]

/** No book expires sooner. */
const LEAST_EXPIRY_MS = 5_000

const isStale = (frame: SocketFrame) => frame.stale === true || frameData(frame).stale === true

/** Maximum number of tenths of a second, and enough candles. */
const STEPS_MAX = 400
const ENOUGH = 8

// Observations that need time to pass; most need control of the target's clock.

/** Observers of the open questions about sockets and channels that need time to pass. */
export const SOCKET_TIMING_OBSERVERS: Observers = {
  'republished-channels': async (probe: Probe) => {
    const again = channelsOf(await silence(probe))
    if (again.has('trades') || again.has('userFills')) return 'all'
    if (again.has('candle') || again.has('openOrders')) return 'states'
    return again.has('bbo') ? 'books' : null
  },
  'stale-channels': async (probe: Probe) => {
    const stale = channelsOf((await silence(probe)).filter(({ frame }) => places(frame) !== ''))
    if (stale.has('candle') || stale.has('openOrders')) return 'all'
    return stale.has('bbo') ? 'books' : stale.has('l2Book') ? 'l2Book' : null
  },
  'republish-after': async (probe: Probe) => {
    const at = (await silentBook(probe)).map(({ second }) => second)
    const [one, two] = at.slice(-2)
    if (one === undefined || two === undefined) return null
    return among(`${two - one}s`, ['1s', '5s', '15s'])
  },
  'stale-after': async (probe: Probe) => {
    const books = await silentBook(probe)
    const stale = books.find(({ frame }) => places(frame) !== '')?.second
    if (stale === undefined) return null
    const fresh = books.findLast(({ second }) => second < stale)?.second ?? 0
    // At the start of the silence the book may have been a second old.
    const fits = [5, 10, 30].filter((span) => span > fresh && span <= stale + 1)
    return fits.length === 1 ? among(`${fits[0]}s`, ['5s', '10s', '30s']) : null
  },
  'stale-place': async (probe: Probe) => {
    const seen = (await silentBook(probe)).map(({ frame }) => places(frame))
    return seen.find((one) => one !== '') ?? null
  },
  'idle-close': async (probe: Probe) => {
    const socket = await open(probe, NODE)
    await probe.letTimePass(61_000)
    const code = await socket.closed()
    return code === 1006 ? 'drop' : code === 1000 ? '1000' : null
  },
  'socket-limits': async (probe: Probe) => {
    for (let count = 0; count < 11; count++) {
      const opened = await probe.tryConnect({ path: NODE, allowRateLimit: true })
      if (opened instanceof ProbeSocket) continue
      return count === 10 && opened.status === 429 ? 'venue' : null
    }
    return 'none'
  },
}

interface TimedFrame {
  second: number
  frame: SocketFrame
}

const channelsOf = (received: readonly TimedFrame[]) =>
  new Set(received.map(({ frame }) => frame.channel))

const silentBook = async (probe: Probe): Promise<TimedFrame[]> =>
  (await silence(probe)).filter(({ frame }) => frame.channel === 'l2Book')

/** Pushes without events, with their seconds. */
const silence = (probe: Probe): Promise<TimedFrame[]> => probe.once('silence', listen)

async function listen(probe: Probe): Promise<TimedFrame[]> {
  const { freeze } = probe.target.control ?? {}
  if (!freeze) probe.skip('the market of the target cannot be stopped')
  const socket = await open(probe, NODE)
  const { address: user } = await someOpenPosition(probe)
  for (const subscription of await coinSubscriptions(probe))
    socket.sendJson(subscribe(subscription))
  for (const type of ['openOrders', 'userFills']) socket.sendJson(subscribe({ type, user }))
  await untilPong(socket)
  // A book of the last second: the silence is counted from it.
  for (let isNew = false, tries = 0; !isNew && tries < LONGEST_S; tries++) {
    await probe.letTimePass(1_000)
    isNew = (await untilPong(socket)).some(({ channel }) => channel === 'l2Book')
  }
  const thaw = await freeze()
  const received: TimedFrame[] = []
  try {
    for (let second = 0; second <= LONGEST_S; second++) {
      const frames = (await untilPong(socket)).filter(({ channel }) => PUSHED.has(channel))
      // Earlier events are pushed within a second.
      if (second > 1) received.push(...frames.map((frame) => ({ second, frame })))
      await probe.letTimePass(1_000)
    }
  } finally {
    await thaw()
    socket.close()
  }
  return received
}

const PUSHED = new Set<unknown>(['l2Book', 'bbo', 'trades', 'candle', 'openOrders', 'userFills'])

/** Longer than the longest answer, twice over where two pushes are needed. */
const LONGEST_S = 46

/** Place of the stale mark in a frame; empty without one. */
function places(frame: SocketFrame): '' | 'data' | 'frame' | 'both' {
  const inside = isJsonObject(frame.data) && (frame.data as JsonObject).stale === true
  if (frame.stale === true) return inside ? 'both' : 'frame'
  return inside ? 'data' : ''
}
