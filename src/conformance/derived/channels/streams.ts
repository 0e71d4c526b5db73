import type { Channel } from '../../../contract/channel.ts'
import type { JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import type { ProbeSocket, SocketFrame } from '../../probe-socket.ts'
import { command, isOf, isOfficial, openOn, pushesIn, untilPong } from './channel-dialogue.ts'
import { isDoubled, isEachTwice } from './doubled-pushes.ts'
import { asGroup, holdersKeys, isUserChannel, subscriptionKeys } from './subscription-keys.ts'

/** Accounts of which the busiest is followed, and those of both groups together. */
const [ACCOUNTS, GROUPED] = [24, 100]
/** An account to which that much has happened is not looked for any longer. */
const BUSY = 3
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
  for (const steps of [[one, one], [one], [two], [one, two], [one, two]]) {
    const socket = await openOn(probe, channel)
    for (const key of steps) await subscribed(probe, socket, channel, key)
    followers.push(socket)
  }
  const left = followers.at(-1) as ProbeSocket
  await command(probe, left, channel, 'unsubscribe', one)
  // The last first: what is pushed to one from then on was heard by those after it.
  for (const socket of followers.toReversed()) await untilPong(socket, channel)
  const heard: SocketFrame[][] = followers.map(() => [])
  const isSilent = () => heard.slice(1, 3).some((frames) => frames.length === 0)
  for (let span = 0; span < SPANS && isSilent(); span++) {
    await probe.waitUpTo(SPAN_MS)
    for (const [at, socket] of followers.entries())
      heard[at]?.push(...pushesIn(probe, channel, await untilPong(socket, channel)))
  }
  judgeHeard(probe, channel, [one, two], heard)
}

function judgeHeard(
  probe: Probe,
  { id, counted, dialect, pushPolicy: { stateOf } }: Channel,
  [one, two]: readonly [JsonObject, JsonObject],
  [twice = [], once = [], second = [], both = [], left = []]: readonly SocketFrame[][],
): void {
  if (once.length === 0) probe.skip(`nothing of ${id} is pushed in ${(SPANS * SPAN_MS) / 1000} s`)
  const isState = stateOf !== undefined
  probe.assert(
    !isDoubled(twice, once, isState),
    `a key of ${id} that was asked for twice pushes once`,
    {
      askedTwice: twice.length,
      askedOnce: once.length,
    },
  )
  const stranger = [...twice, ...once, ...second, ...both, ...left].find(
    (frame) => !isOf(one, frame) && !isOf(two, frame),
  )
  probe.assert(!stranger, `${id} pushes what was asked for alone`, stranger)
  // A state may be sent again as it was.
  const isTwice = !isState && isEachTwice(once)
  probe.assert(!isTwice, `what happens is pushed once on ${id}`, once.slice(0, 2))
  const others = left.filter((frame) => isOf(one, frame))
  probe.assert(others.length === 0, `nothing of a key of ${id} comes after its end`, others[0])
  // Another account takes the place of the first on `/ws`, or not (open).
  if (!counted && dialect.name === 'official') return
  const fed = both.filter((frame) => isOf(two, frame))
  const first = both.filter((frame) => isOf(one, frame))
  probe.assert(first.length > 0, `the first key of ${id} is fed beside a second one`, both.length)
  if (second.length === 0) probe.skip('nothing happens to the second key')
  probe.assert(fed.length > 0, `a second key of ${id} is fed on the same connection`, both.length)
  probe.assert(left.length > 0, `other keys of ${id} go on when one has ended`)
}

/** Two coins, two halves of the accounts, or an account to which much happens and another. */
async function twoKeys(probe: Probe, channel: Channel): Promise<[JsonObject, JsonObject]> {
  const count = isOfficial(channel) ? ACCOUNTS : GROUPED
  const keys = isUserChannel(channel)
    ? await holdersKeys(probe, channel, count)
    : await subscriptionKeys(probe, channel, 2)
  const [one, two] = keys
  if (!one || !two) probe.skip('the target lists only one to follow')
  if (isOfficial(channel)) return [await busiest(probe, channel, keys), two]
  const half = (which: number) => asGroup(keys.filter((_, at) => at % 2 === which))
  return [half(0), half(1)]
}

/** The key of which most is pushed in a while. */
async function busiest(
  probe: Probe,
  channel: Channel,
  keys: readonly JsonObject[],
): Promise<JsonObject> {
  if (!isUserChannel(channel)) return keys[0] as JsonObject
  // At the same time: the first would be silent for too long while the last are opened.
  const sockets = await Promise.all(
    keys.map(async (key) => {
      const socket = await openOn(probe, channel)
      await subscribed(probe, socket, channel, key)
      await untilPong(socket, channel)
      return socket
    }),
  )
  const counts = sockets.map(() => 0)
  for (let span = 0; span < SPANS && Math.max(...counts) < BUSY; span++) {
    await probe.waitUpTo(SPAN_MS)
    const heard = sockets.map(async (socket, at) => {
      const pushes = pushesIn(probe, channel, await untilPong(socket, channel))
      counts[at] = (counts[at] ?? 0) + pushes.length
    })
    await Promise.all(heard)
  }
  for (const socket of sockets) socket.close()
  return keys[counts.indexOf(Math.max(...counts))] as JsonObject
}

const subscribed = (probe: Probe, socket: ProbeSocket, channel: Channel, key: JsonObject) =>
  command(probe, socket, channel, 'subscribe', key)
