/** What sockets show only as time passes; most of it needs control of the target's clock. */
import {
  coinSubscriptions,
  NODE,
  open,
  subscribe,
  untilPong,
} from '../../cases/sockets/socket-dialogue.ts'
import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import { ProbeSocket, type SocketFrame } from '../../probe-socket.ts'
import { someOpenPosition } from '../../target-lookups.ts'
import { among, type Observers } from '../observer.ts'

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
    // When silence began the book may have been of the second before.
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

/** What is pushed while nothing happens, and after how many seconds. */
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
  // A book of the last second: silence is counted from it.
  for (let isNew = false, tries = 0; !isNew && tries < LONGEST_S; tries++) {
    await probe.letTimePass(1_000)
    isNew = (await untilPong(socket)).some(({ channel }) => channel === 'l2Book')
  }
  const thaw = await freeze()
  const received: TimedFrame[] = []
  try {
    for (let second = 0; second <= LONGEST_S; second++) {
      const frames = (await untilPong(socket)).filter(({ channel }) => PUSHED.has(channel))
      // What happened before is told within a second.
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

/** Where a frame says that it is stale; empty where it does not. */
function places(frame: SocketFrame): '' | 'data' | 'frame' | 'both' {
  const inside = isJsonObject(frame.data) && (frame.data as JsonObject).stale === true
  if (frame.stale === true) return inside ? 'both' : 'frame'
  return inside ? 'data' : ''
}
