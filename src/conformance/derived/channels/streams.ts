import type { Channel } from '../../../contract/channel.ts'
import { assertAtLeast } from '../../assertions.ts'
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
import { ENOUGH, isDoubled, isEachTwice } from './doubled-pushes.ts'
import { judgeFresh } from './stale.ts'
import { activeKeys, asGroup, isUserChannel, subscriptionKeys } from './subscription-keys.ts'

/** Accounts of which the busiest is followed, and those of both groups together. */
const [ACCOUNTS, GROUPED] = [24, 100]
/** Long enough for something to happen, longer makes signatures older; and how often so long. */
const SPANS = { spanMs: 20_000, spans: 6 }

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
  // The last first: what is pushed to one from then on was heard by those after it.
  for (const socket of followers.toReversed()) await untilPong(socket, channel)
  const heard: SocketFrame[][] = followers.map(() => [])
  const isEnough = () =>
    (heard[1] ?? []).length >= ENOUGH && (both.length === 1 || heard[2]?.length !== 0)
  const listen = async () => {
    for (const [at, socket] of followers.entries())
      heard[at]?.push(...pushesIn(probe, channel, await untilPong(socket, channel)))
  }
  await probe.listenUntil(isEnough, listen, SPANS)
  judgeHeard(probe, channel, [one, two], heard)
}

function judgeHeard(
  probe: Probe,
  channel: Channel,
  [one, two]: readonly [JsonObject, JsonObject],
  [twice = [], once = [], second = [], both = [], left = []]: readonly SocketFrame[][],
): void {
  const { id } = channel
  const isState = channel.pushPolicy.stateOf !== undefined
  if (once.length === 0) probe.skip(`nothing of ${id} is pushed as long as there is patience`)
  const isDouble = isDoubled(twice, once, isState)
  probe.assert(!isDouble, `a key of ${id} that was asked for twice pushes once`, {
    askedTwice: twice.length,
    askedOnce: once.length,
  })
  const stranger = [...twice, ...once, ...second, ...both, ...left].find(
    (frame) => !isOf(one, frame) && !isOf(two, frame),
  )
  probe.assert(!stranger, `${id} pushes what was asked for alone`, stranger)
  judgeFresh(probe, channel, once)
  // A state may be sent again as it was.
  const isTwice = !isState && isEachTwice(once)
  probe.assert(!isTwice, `what happens is pushed once on ${id}`, once.slice(0, 2))
  const others = left.filter((frame) => isOf(one, frame))
  probe.assert(others.length === 0, `nothing of a key of ${id} comes after its end`, others[0])
  if (isOneAtATime(channel)) return
  const fed = both.filter((frame) => isOf(two, frame))
  const first = both.filter((frame) => isOf(one, frame))
  probe.assert(first.length > 0, `the first key of ${id} is fed beside a second one`, both.length)
  if (second.length === 0) probe.skip('nothing happens to the second key')
  probe.assert(fed.length > 0, `a second key of ${id} is fed on the same connection`, both.length)
  assertAtLeast(probe, left.length, 1, `other keys of ${id} go on when one has ended`)
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
