import { assertAtLeast, assertOrder, assertSame } from '../../assertions.ts'
import type { Case } from '../../case.ts'
import type { Probe } from '../../probe.ts'
import type { SocketFrame } from '../../probe-socket.ts'
import { someCoin } from '../../target-lookups.ts'
import { isNonDecreasing } from '../../value-checks.ts'
import { acknowledged, dataIn, open, pushed, subscribe, untilPong } from './socket-dialogue.ts'

/** Pushes of books and candles while time passes (the service's documentation, Limits; Events). */
export const PUSH_TIMING_CASES: readonly Case[] = [
  {
    id: 'sockets.timing.stale',
    title:
      'a silent book is sent again, and says stale once it has expired, whatever heartbeats do',
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
        assertAtLeast(probe, again.length, 2, 'the last book is sent again while nothing happens')
        const times = again.map((frame) => Number(dataIn(frame).time))
        const isSame = new Set(times).size === 1
        probe.assert(
          isSame && isNonDecreasing([Number(dataIn(first).time), ...times]),
          'time stands still',
          { first: Number(dataIn(first).time), times },
        )
        const last = again.at(-1) as SocketFrame
        probe.assert(isStale(last), 'after a minute of silence it says stale', last)
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
      const times = books.map((frame) => Number(dataIn(frame).time))
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
      const times = books.map((frame) => Number(dataIn(frame).time))
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
      // From the first step on the clock is held: what comes is of that tenth of a second.
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

const isStale = (frame: SocketFrame) => frame.stale === true || dataIn(frame).stale === true

/** Tenths of a second that are looked at, and candles that are enough. */
const STEPS_MAX = 400
const ENOUGH = 8
