/** What shows only as time passes: most of it needs a hand on the clock of the target. */
import {
  coinSubscriptions,
  NODE,
  open,
  subscribe,
  untilPong,
} from '../cases/sockets/socket-dialogue.ts'
import type { Probe } from '../probe.ts'
import { ProbeSocket, type SocketFrame } from '../probe-socket.ts'
import { isJsonObject, type JsonObject, objectOf, objectsOf } from '../response-reading.ts'
import type { Target } from '../target.ts'
import { someOpenPosition } from '../target-lookups.ts'
import { among, type Observers } from './observer.ts'

export const TIMING_OBSERVERS: Observers = {
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
      const opened = await probe.tryConnect({ path: NODE })
      if (opened instanceof ProbeSocket) continue
      return count === 10 && opened.status === 429 ? 'venue' : null
    }
    return 'none'
  },
  'alert-repeats': async (probe: Probe) => {
    if (!probe.target.control) probe.skip('an alert has to ring twice, and time cannot be moved')
    if ((await rungAt(probe)).length > 0) probe.skip('such an alert has rung before')
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const answer = await ringsAgain(probe)
      if (answer !== null) return answer
    }
    return probe.skip('the alert has not rung twice')
  },
}

/**
 * That an alert is listed once says nothing unless it has come true again. So the same alert is set
 * a second time: when that one rings, the first has come true again as well. Null where it has not,
 * or where both are listed at one time only, which would be so either way.
 */
async function ringsAgain(probe: Probe): Promise<'once' | 'each' | null> {
  const set = [await setAlert(probe)]
  try {
    const alone = await rung(probe, (times) => times.length > 0)
    if (alone.length > 1) return 'each'
    if (alone.length === 0) return null
    const second = await setAlert(probe)
    set.push(second)
    const both = await rung(probe, ([late = 0, early]) => early !== undefined && late > second.setS)
    if (both.length > 2) return 'each'
    return both.length === 2 && both[0] !== both[1] ? 'once' : null
  } finally {
    for (const { id } of set) await probe.request({ path: '/signal/delSignalAlert', query: { id } })
  }
}

/** Of a bar that closes once a minute. */
const ALERT = { subType: 'vol:1:rise:1', symbol: 'btcswapusdc:hl' }
const LONGEST_MINUTES = 20
const ATTEMPTS = 4

async function setAlert(probe: Probe): Promise<{ id: string; setS: number }> {
  const before = (await alertsSet(probe)).map(({ id }) => id)
  const { result } = await objectOf(probe, { path: '/signal/addSignalAlert', query: ALERT })
  const made = (await alertsSet(probe)).find(({ id }) => !before.includes(id))
  if (result !== 'true' || !made) probe.skip('no alert of volumes can be set twice')
  return { id: String(made.id), setS: Number(made.setTime) }
}

const alertsSet = (probe: Probe): Promise<JsonObject[]> =>
  objectsOf(probe, { path: '/signal/getSignalAlertSetList' }, 'list')

/** When that alert rang, s, the latest first, once it is enough; empty when it never is. */
async function rung(probe: Probe, isEnough: (times: number[]) => boolean): Promise<number[]> {
  for (let minute = 0; minute < LONGEST_MINUTES; minute++) {
    await probe.letTimePass(60_000)
    const times = await rungAt(probe)
    if (isEnough(times)) return times
  }
  return []
}

async function rungAt(probe: Probe): Promise<number[]> {
  const rows = await objectsOf(probe, { path: '/signal/signalAlert' }, 'list')
  const times = rows.flatMap(({ sub_type, ews_time }) =>
    sub_type === ALERT.subType ? [Number(ews_time)] : [],
  )
  return times.toSorted((a, b) => b - a)
}

interface Heard {
  second: number
  frame: SocketFrame
}

const silences = new WeakMap<Target, Promise<Heard[]>>()

const channelsOf = (heard: readonly Heard[]) => new Set(heard.map(({ frame }) => frame.channel))

const silentBook = async (probe: Probe): Promise<Heard[]> =>
  (await silence(probe)).filter(({ frame }) => frame.channel === 'l2Book')

/** What is pushed while nothing happens, and after how many seconds; heard once a target. */
function silence(probe: Probe): Promise<Heard[]> {
  const heard = silences.get(probe.target) ?? listen(probe)
  silences.set(probe.target, heard)
  return heard
}

async function listen(probe: Probe): Promise<Heard[]> {
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
  const heard: Heard[] = []
  try {
    for (let second = 0; second <= LONGEST_S; second++) {
      const frames = (await untilPong(socket)).filter(({ channel }) => PUSHED.has(channel))
      // What happened before is told within a second.
      if (second > 1) heard.push(...frames.map((frame) => ({ second, frame })))
      await probe.letTimePass(1_000)
    }
  } finally {
    await thaw()
  }
  return heard
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
