import type { Channel } from '../../../contract/channel.ts'
import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import type { ProbeSocket, SocketFrame } from '../../probe-socket.ts'
import { command, openOn, pushesIn, untilPong, withoutStale } from './channel-dialogue.ts'
import { activeKeys } from './subscription-keys.ts'

/** Accounts that are followed. */
const ACCOUNTS = 24
/** In which something happens, and in which it has to be pushed; how often so long. */
const SPANS = { spanMs: 20_000, spans: 4 }

interface Follower {
  key: JsonObject
  socket: ProbeSocket
  first: SocketFrame | undefined
  /** What was pushed since. */
  live: SocketFrame[]
}

/**
 * What a later snapshot shows to have happened was pushed meanwhile, on connections that were
 * subscribed to again after their end.
 */
export async function judgeLaterSnapshot(probe: Probe, channel: Channel): Promise<void> {
  await probe.holdTime()
  const keys = await activeKeys(probe, channel, ACCOUNTS)
  // At the same time: the first would be silent for too long while the last are opened.
  const followers = await Promise.all(
    keys.map(async (key): Promise<Follower> => {
      const socket = await openOn(probe, channel)
      for (const method of ['subscribe', 'unsubscribe', 'subscribe'] as const)
        await command(probe, socket, channel, method, key)
      const [first, ...live] = await heardOn(probe, channel, socket)
      return { key, socket, first, live }
    }),
  )
  const listen = async () => {
    const heard = followers.map(async ({ socket, live }) => {
      live.push(...(await heardOn(probe, channel, socket)))
    })
    await Promise.all(heard)
  }
  const isTold = ({ first, live }: Follower) =>
    live.some((frame) => first && textOf(frame) !== textOf(first))
  await probe.listenUntil(() => followers.some(isTold), listen, SPANS)
  const changed = await Promise.all(
    followers.map(async ({ key, first }) => {
      const socket = await openOn(probe, channel)
      await command(probe, socket, channel, 'subscribe', key)
      const [later] = await heardOn(probe, channel, socket)
      socket.close()
      return first !== undefined && later !== undefined && textOf(later) !== textOf(first)
    }),
  )
  await probe.waitUpTo(SPANS.spanMs)
  await listen()
  const due = followers.filter((_, at) => changed[at])
  if (due.length === 0) probe.skip(`nothing happens that ${channel.id} has to push`)
  const missed = due.find((one) => !isTold(one))
  probe.assert(!missed, `what a later snapshot of ${channel.id} shows was pushed`, missed?.key)
}

const heardOn = async (probe: Probe, channel: Channel, socket: ProbeSocket) =>
  pushesIn(probe, channel, await untilPong(socket, channel))

/** What a push tells: a list without what says that it is one. */
function textOf(frame: SocketFrame): string {
  const data = withoutStale(frame)
  const { isSnapshot: _, ...told } = isJsonObject(data) ? data : {}
  return JSON.stringify(told)
}
