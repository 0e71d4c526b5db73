import type { Channel } from '../../../contract/channel.ts'
import { assertAtLeast } from '../../assertions.ts'
import type { Probe } from '../../probe.ts'
import type { ProbeSocket, SocketFrame } from '../../probe-socket.ts'
import { isSameJson } from '../../value-checks.ts'
import { command, isStale, openOn, pushesIn, untilPong, withoutStale } from './channel-dialogue.ts'
import { subscriptionKeys } from './subscription-keys.ts'

/** How often the last one may be looked for while nothing happens, and how long each time, ms. */
const [SPANS, SPAN_MS] = [3, 12_000]

/**
 * A live state is not stale; while nothing happens the last one is sent again as it was, and says
 * so once it has expired; afterwards it is live again.
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
    // What is pushed first then is declared as well, whether it says stale or not (open).
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
  for (let span = 0; span < SPANS && !repeated.some(isStale); span++) {
    await probe.letTimePass(SPAN_MS)
    repeated.push(...(await pushesOf(probe, channel, socket)))
  }
  // Which other channels are sent again, and which of them say stale, is open.
  if (channel.id === 'l2Book') {
    assertAtLeast(probe, repeated.length, 1, 'a silent book is sent again')
    probe.assert(repeated.some(isStale), 'a book that has expired says stale', repeated.at(-1))
  }
  const states = repeated.map(withoutStale)
  const other = states.findIndex((state) => !isSameJson(state, withoutStale(last)))
  probe.assert(
    other === -1 || states.slice(other).every((state) => isSameJson(state, states[other])),
    `what ${channel.id} sends again is its last state`,
    repeated[other],
  )
  const first = repeated.findIndex(isStale)
  const fresh = first === -1 ? undefined : repeated.slice(first).find((frame) => !isStale(frame))
  probe.assert(!fresh, `a ${channel.id} that has expired stays so while nothing happens`, fresh)
}

/**
 * What differs from what came before it has just happened: of several such pushes not all are
 * stale.
 */
export function judgeFresh(probe: Probe, { id }: Channel, pushes: readonly SocketFrame[]): void {
  const changed = pushes.filter(
    (frame, at) =>
      at > 0 && !isSameJson(withoutStale(pushes[at - 1] as SocketFrame), withoutStale(frame)),
  )
  const isLive = changed.length < ENOUGH || !changed.every(isStale)
  probe.assert(isLive, `a ${id} that has just changed is not stale`, changed.at(-1))
}

/** So many changes that are all stale are no chance. */
const ENOUGH = 2

const pushesOf = async (probe: Probe, channel: Channel, socket: ProbeSocket) =>
  pushesIn(probe, channel, await untilPong(socket, channel))
