/** Pushes of a channel over time: changes, once each, and nothing stale. */

import type { Channel } from '../../contract/channel.ts'
import { timeOf } from '../declared-violations.ts'
import type { Probe } from '../probe.ts'
import type { ProbeSocket, SocketFrame } from '../probe-socket.ts'
import { assertAtLeast, isJsonObject, isSameJson, type JsonObject } from '../responses.ts'
import {
  activeKeys,
  asGroup,
  busiestFirst,
  command,
  isOf,
  isOfficial,
  isOneAtATime,
  isStale,
  isUserChannel,
  openOn,
  pushesIn,
  subscriptionKeys,
  untilPong,
  withoutStale,
} from './channel-dialogue.ts'

/** Number of accounts whose busiest is followed, and of both groups together. */
const [ACCOUNTS, GROUPED] = [24, 100]
/** Long enough for events, without aging signatures; and the number of spans. */
const SPANS = { spanMs: 20_000, spans: 12 }

/**
 * A repeated subscription pushes once, a second key is pushed beside the first, and after an
 * unsubscription its pushes end while the others continue.
 */
export async function judgeStreams(probe: Probe, channel: Channel): Promise<void> {
  await probe.holdTime()
  const [one, two] = await twoKeys(probe, channel)
  const followers: ProbeSocket[] = []
  // Another account replaces the first on `/ws`, or not (open).
  const both = isOneAtATime(channel) ? [one] : [one, two]
  for (const steps of [[one, one], [one], [two], both, both]) {
    const socket = await openOn(probe, channel)
    for (const key of steps) await subscribed(probe, socket, channel, key)
    followers.push(socket)
  }
  const left = followers.at(-1) as ProbeSocket
  await command(probe, left, channel, 'unsubscribe', one)
  // The last first: pushes to one from then on were received by those after it.
  for (const socket of followers.toReversed()) await untilPong(socket, channel)
  const received: SocketFrame[][] = followers.map(() => [])
  const isEnough = () =>
    (received[1] ?? []).length >= ENOUGH_DOUBLED && (both.length === 1 || received[2]?.length !== 0)
  const listen = async () => {
    for (const [at, socket] of followers.entries())
      received[at]?.push(...pushesIn(probe, channel, await untilPong(socket, channel)))
  }
  await probe.listenUntil(isEnough, listen, SPANS)
  judgeReceived(probe, channel, [one, two], received)
}

function judgeReceived(
  probe: Probe,
  channel: Channel,
  [one, two]: readonly [JsonObject, JsonObject],
  [twice = [], once = [], second = [], both = [], left = []]: readonly SocketFrame[][],
): void {
  const { id } = channel
  const isState = channel.pushPolicy.stateOf !== undefined
  if (once.length === 0) probe.skip(`nothing of ${id} is pushed within the patience`)
  const isDouble = isDoubled(twice, once, isState)
  probe.assert(!isDouble, `a repeated key of ${id} pushes once`, {
    requestedTwice: twice.length,
    requestedOnce: once.length,
  })
  const unrequested = [...twice, ...once, ...second, ...both, ...left].find(
    (frame) => !isOf(one, frame) && !isOf(two, frame),
  )
  probe.assert(!unrequested, `${id} pushes only what was requested`, unrequested)
  judgeFresh(probe, channel, once)
  // A state may be repeated.
  const isTwice = !isState && isEachTwice(once)
  probe.assert(!isTwice, `an event is pushed once on ${id}`, once.slice(0, 2))
  const others = left.filter((frame) => isOf(one, frame))
  probe.assert(others.length === 0, `nothing of a key of ${id} is pushed after its end`, others[0])
  if (isOneAtATime(channel)) return
  const fed = both.filter((frame) => isOf(two, frame))
  const first = both.filter((frame) => isOf(one, frame))
  probe.assert(
    first.length > 0,
    `the first key of ${id} is pushed beside a second one`,
    both.length,
  )
  if (second.length === 0) probe.skip('nothing happens to the second key')
  probe.assert(
    fed.length > 0,
    `a second key of ${id} is pushed on the same connection`,
    both.length,
  )
  assertAtLeast(probe, left.length, 1, `other keys of ${id} continue when one has ended`)
}

/** Two coins, two halves of the accounts, or a busy account and another. */
async function twoKeys(probe: Probe, channel: Channel): Promise<[JsonObject, JsonObject]> {
  // States are pushed constantly.
  const isFew = isOfficial(channel) || channel.pushPolicy.minGapMs !== undefined
  const count = isFew ? ACCOUNTS : GROUPED
  const keys = isUserChannel(channel)
    ? await activeKeys(probe, channel, count)
    : await subscriptionKeys(probe, channel, 2)
  if (isOneAtATime(channel)) {
    const [one, two] = await busiestFirst(probe, channel, keys)
    return one && two ? [one, two] : probe.skip(ONE_ONLY)
  }
  const half = (which: number) => asGroup(keys.filter((_, at) => at % 2 === which))
  const [one, two] = isOfficial(channel) ? keys : [half(0), half(1)]
  return keys.length > 1 && one && two ? [one, two] : probe.skip(ONE_ONLY)
}

const ONE_ONLY = 'the target lists only one key to follow'

const subscribed = (probe: Probe, socket: ProbeSocket, channel: Channel, key: JsonObject) =>
  command(probe, socket, channel, 'subscribe', key)

// Detects duplicate pushes on one connection.

/** Number of different duplicated pushes that cannot be chance. */
const ENOUGH_DOUBLED = 2

/**
 * Whether a connection got every push twice that another one got once. Each was read over a span of
 * its own: pushes on both are compared. Without common ones, as for rapid states, those of the
 * common span of time are counted.
 */
export function isDoubled(
  twice: readonly SocketFrame[],
  once: readonly SocketFrame[],
  isState: boolean,
): boolean {
  const [there, here] = [countsOf(twice), countsOf(once)]
  const common = [...here].filter(([text]) => there.has(text))
  if (common.length < ENOUGH_DOUBLED) {
    if (!isState) return isEachTwice(twice)
    const [most, least] = ofOneSpan(twice, once)
    return most >= 2 * Math.max(least, ENOUGH_DOUBLED)
  }
  const doubled = common.filter(([text, count]) => (there.get(text) ?? 0) >= 2 * count)
  // The first or the last may be cut off.
  return doubled.length >= Math.max(1, common.length - 1)
}

/** Counts of both in their common span of time; zero without times. */
function ofOneSpan(one: readonly SocketFrame[], other: readonly SocketFrame[]): [number, number] {
  const [times, others] = [one, other].map((frames) => frames.map(timeIn))
  const [first, last] = [spanOf(times ?? []), spanOf(others ?? [])]
  const [from, to] = [Math.max(first[0], last[0]), Math.min(first[1], last[1])]
  const count = (all: readonly number[] = []) =>
    all.filter((time) => time >= from && time <= to).length
  return [count(times), count(others)]
}

const spanOf = (times: readonly number[]): [number, number] => [
  Math.min(...times),
  Math.max(...times),
]

/** NaN is outside of any span. */
const timeIn = ({ data }: SocketFrame): number =>
  (isJsonObject(data) ? timeOf(data) : null) ?? Number.NaN

/** Whether all of several pushes came twice. */
export function isEachTwice(pushes: readonly SocketFrame[]): boolean {
  const counts = countsOf(pushes)
  return counts.size >= ENOUGH_DOUBLED && [...counts.values()].every((count) => count === 2)
}

/** Number of times each was pushed. */
function countsOf(pushes: readonly SocketFrame[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { data } of pushes) {
    const text = JSON.stringify(data)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}

/** Number of waits for a repeated push, and their length, ms. */
const [STALE_SPANS, SPAN_MS] = [3, 12_000]

/**
 * A live state is not stale; without events the last one is repeated, and marked stale once it has
 * expired; afterwards it is live again.
 */
export async function judgeStale(probe: Probe, channel: Channel): Promise<void> {
  const { freeze } = probe.target.control ?? {}
  if (!freeze) probe.skip('the market of the target cannot be stopped')
  await probe.holdTime()
  const [key = {}] = await subscriptionKeys(probe, channel, 1)
  const socket = await openOn(probe, channel)
  await command(probe, socket, channel, 'subscribe', key)
  await probe.letTimePass(1_000)
  const live = await pushesOf(probe, channel, socket)
  const last = live.at(-1)
  probe.assert(last, `${channel.id} pushes something`)
  const thaw = await freeze()
  try {
    await judgeSilence(probe, channel, socket, last)
    // The first push then is also declared, whether or not it is marked stale (open).
    const other = await openOn(probe, channel)
    await command(probe, other, channel, 'subscribe', key)
    await pushesOf(probe, channel, other)
  } finally {
    await thaw()
  }
  await probe.letTimePass(2_000)
  const again = (await pushesOf(probe, channel, socket)).at(-1)
  if (again && !isSameJson(withoutStale(again), withoutStale(last)))
    probe.assert(!isStale(again), `a live ${channel.id} is not stale`, again)
}

async function judgeSilence(
  probe: Probe,
  channel: Channel,
  socket: ProbeSocket,
  last: SocketFrame,
): Promise<void> {
  const repeated: SocketFrame[] = []
  for (let span = 0; span < STALE_SPANS && !repeated.some(isStale); span++) {
    await probe.letTimePass(SPAN_MS)
    repeated.push(...(await pushesOf(probe, channel, socket)))
  }
  // Which other channels repeat states or mark them stale is open.
  if (channel.id === 'l2Book') {
    assertAtLeast(probe, repeated.length, 1, 'a silent book is repeated')
    probe.assert(repeated.some(isStale), 'an expired book is stale', repeated.at(-1))
  }
  const states = repeated.map(withoutStale)
  const other = states.findIndex((state) => !isSameJson(state, withoutStale(last)))
  probe.assert(
    other === -1 || states.slice(other).every((state) => isSameJson(state, states[other])),
    `a repeated push of ${channel.id} is its last state`,
    repeated[other],
  )
  const first = repeated.findIndex(isStale)
  const fresh = first === -1 ? undefined : repeated.slice(first).find((frame) => !isStale(frame))
  probe.assert(!fresh, `an expired ${channel.id} stays so while nothing happens`, fresh)
}

/** A push that differs from its predecessor is new: of several not all may be stale. */
export function judgeFresh(probe: Probe, { id }: Channel, pushes: readonly SocketFrame[]): void {
  const changed = pushes.filter(
    (frame, at) =>
      at > 0 && !isSameJson(withoutStale(pushes[at - 1] as SocketFrame), withoutStale(frame)),
  )
  const isLive = changed.length < ENOUGH_STALE || !changed.every(isStale)
  probe.assert(isLive, `a ${id} that has just changed is not stale`, changed.at(-1))
}

/** Number of stale changes that cannot be chance. */
const ENOUGH_STALE = 2

const pushesOf = async (probe: Probe, channel: Channel, socket: ProbeSocket) =>
  pushesIn(probe, channel, await untilPong(socket, channel))

/** Number of followed accounts. */
const SNAPSHOT_ACCOUNTS = 24
/** Span for events, and for their pushes; and the number of spans. */
const SNAPSHOT_SPANS = { spanMs: 20_000, spans: 12 }

interface Follower {
  key: JsonObject
  socket: ProbeSocket
  first: SocketFrame | undefined
  /** Later pushes. */
  live: SocketFrame[]
}

/**
 * Events shown by a later snapshot were pushed meanwhile, on connections that were subscribed again
 * after an unsubscription.
 */
export async function judgeLaterSnapshot(probe: Probe, channel: Channel): Promise<void> {
  await probe.holdTime()
  const keys = await activeKeys(probe, channel, SNAPSHOT_ACCOUNTS)
  // Concurrently: in sequence, the first would be idle too long.
  const followers = await Promise.all(
    keys.map(async (key): Promise<Follower> => {
      const socket = await openOn(probe, channel)
      for (const method of ['subscribe', 'unsubscribe', 'subscribe'] as const)
        await command(probe, socket, channel, method, key)
      const [first, ...live] = await receivedOn(probe, channel, socket)
      return { key, socket, first, live }
    }),
  )
  const listen = async () => {
    const received = followers.map(async ({ socket, live }) => {
      live.push(...(await receivedOn(probe, channel, socket)))
    })
    await Promise.all(received)
  }
  const isReported = ({ first, live }: Follower) =>
    live.some((frame) => first && textOf(frame) !== textOf(first))
  await probe.listenUntil(() => followers.some(isReported), listen, SNAPSHOT_SPANS)
  const changed = await Promise.all(
    followers.map(async ({ key, first }) => {
      const socket = await openOn(probe, channel)
      await command(probe, socket, channel, 'subscribe', key)
      const [later] = await receivedOn(probe, channel, socket)
      socket.close()
      return first !== undefined && later !== undefined && textOf(later) !== textOf(first)
    }),
  )
  await probe.waitUpTo(SNAPSHOT_SPANS.spanMs)
  await listen()
  const due = followers.filter((_, at) => changed[at])
  if (due.length === 0) probe.skip(`no event occurs that ${channel.id} should push`)
  const missed = due.find((one) => !isReported(one))
  probe.assert(
    !missed,
    `events shown by a later snapshot of ${channel.id} were pushed`,
    missed?.key,
  )
}

const receivedOn = async (probe: Probe, channel: Channel, socket: ProbeSocket) =>
  pushesIn(probe, channel, await untilPong(socket, channel))

/** Content of a push without snapshot markers. */
function textOf(frame: SocketFrame): string {
  const data = withoutStale(frame)
  const { isSnapshot: _, ...reported } = isJsonObject(data) ? data : {}
  return JSON.stringify(reported)
}
