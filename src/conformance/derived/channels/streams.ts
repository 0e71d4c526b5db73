import type { Channel } from '../../../contract/channel.ts'
import type { JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import type { ProbeSocket, SocketFrame } from '../../probe-socket.ts'
import { busiestFirst } from './busiest-accounts.ts'
import {
  command,
  isOf,
  isOfficial,
  isOneAtATime,
  openOn,
  pushesIn,
  untilPong,
} from './channel-dialogue.ts'
import { judgeFresh } from './stale.ts'
import { activeKeys, asGroup, isUserChannel, subscriptionKeys } from './subscription-keys.ts'

/** Accounts of which the busiest is followed, and those of both groups together. */
const [ACCOUNTS, GROUPED] = [24, 100]
/** So many different pushes, each twice, are no chance. */
const ENOUGH = 2
/** Long enough for something to happen; longer makes signatures older. */
const SPAN_MS = 20_000
/** How often so long, until something has. */
const SPANS = 6

/**
 * The same key twice pushes once, a second key is fed beside the first, and after one has been
 * unsubscribed nothing of it comes while the others go on.
 */
export async function judgeStreams(probe: Probe, channel: Channel): Promise<void> {
  await probe.holdTime()
  const [one, two] = await twoKeys(probe, channel)
  const followers: ProbeSocket[] = []
  // Another account takes the place of the first on `/ws`, or not (open).
  const both = isOneAtATime(channel) ? [one] : [one, two]
  for (const steps of [[one, one], [one], [two], both, both]) {
    const socket = await openOn(probe, channel)
    for (const key of steps) await subscribed(probe, socket, channel, key)
    followers.push(socket)
  }
  const left = followers.at(-1) as ProbeSocket
  await command(probe, left, channel, 'unsubscribe', one)
  for (const socket of followers) await untilPong(socket, channel)
  const heard: SocketFrame[][] = followers.map(() => [])
  const isSilent = () =>
    (heard[1] ?? []).length < ENOUGH || (both.length > 1 && heard[2]?.length === 0)
  for (let span = 0; span < SPANS && isSilent(); span++) {
    await probe.waitUpTo(SPAN_MS)
    for (const [at, socket] of followers.entries())
      heard[at]?.push(...pushesIn(probe, channel, await untilPong(socket, channel)))
  }
  judgeHeard(probe, channel, [one, two], heard)
}

function judgeHeard(
  probe: Probe,
  channel: Channel,
  [one, two]: readonly [JsonObject, JsonObject],
  [twice = [], once = [], second = [], both = [], left = []]: readonly SocketFrame[][],
): void {
  const { id, pushPolicy } = channel
  if (once.length === 0) probe.skip(`nothing of ${id} is pushed as long as there is patience`)
  probe.assert(!isDoubled(twice, once), `a key of ${id} that was asked for twice pushes once`, {
    askedTwice: twice.length,
    askedOnce: once.length,
  })
  const stranger = [...twice, ...once, ...second, ...both, ...left].find(
    (frame) => !isOf(one, frame) && !isOf(two, frame),
  )
  probe.assert(!stranger, `${id} pushes what was asked for alone`, stranger)
  judgeFresh(probe, channel, once)
  // A state may be sent again as it was.
  const isTwice = pushPolicy.stateOf === undefined && isEachTwice(once)
  probe.assert(!isTwice, `what happens is pushed once on ${id}`, once.slice(0, 2))
  const others = left.filter((frame) => isOf(one, frame))
  probe.assert(others.length === 0, `nothing of a key of ${id} comes after its end`, others[0])
  if (isOneAtATime(channel)) return
  const fed = both.filter((frame) => isOf(two, frame))
  const first = both.filter((frame) => isOf(one, frame))
  probe.assert(first.length > 0, `the first key of ${id} is fed beside a second one`, both.length)
  if (second.length === 0) probe.skip('nothing happens to the second key')
  probe.assert(fed.length > 0, `a second key of ${id} is fed on the same connection`, both.length)
  probe.assert(left.length > 0, `other keys of ${id} go on when one has ended`)
}

/**
 * With a market that moves, states that follow one another quickly come to one connection only:
 * what came to both is compared, and where nothing did, that there is at least twice as much.
 */
function isDoubled(twice: readonly SocketFrame[], once: readonly SocketFrame[]): boolean {
  const [there, here] = [countsOf(twice), countsOf(once)]
  const common = [...here].filter(([text]) => there.has(text))
  if (common.length < ENOUGH) return twice.length >= 2 * Math.max(once.length, ENOUGH)
  const doubled = common.filter(([text, count]) => (there.get(text) ?? 0) >= 2 * count)
  // The first or the last may be cut off.
  return doubled.length >= Math.max(1, common.length - 1)
}

/** Whether all of several pushes came twice. */
function isEachTwice(pushes: readonly SocketFrame[]): boolean {
  const counts = countsOf(pushes)
  return counts.size >= ENOUGH && [...counts.values()].every((count) => count === 2)
}

/** How often each was pushed. */
function countsOf(pushes: readonly SocketFrame[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { data } of pushes) {
    const text = JSON.stringify(data)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}

/** Two coins, two halves of the accounts, or an account to which much happens and another. */
async function twoKeys(probe: Probe, channel: Channel): Promise<[JsonObject, JsonObject]> {
  // Of states something is pushed all the time.
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

const ONE_ONLY = 'the target lists only one to follow'

const subscribed = (probe: Probe, socket: ProbeSocket, channel: Channel, key: JsonObject) =>
  command(probe, socket, channel, 'subscribe', key)
