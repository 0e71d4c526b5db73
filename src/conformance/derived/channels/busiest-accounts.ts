/** Of some accounts those to which most happens, found out by following each for a while. */
import type { Channel } from '../../../contract/channel.ts'
import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import type { SocketFrame } from '../../probe-socket.ts'
import { command, openOn, pushesIn, untilPong } from './channel-dialogue.ts'

/** An account to which that much has happened is not looked for any longer. */
const BUSY = 3
/** Long enough for something to happen, ms. */
const SPAN_MS = 20_000
/** How often so long: where it takes real time, patience is kept for what is judged. */
const [SPANS, SPANS_OF_REAL_TIME] = [6, 1]
/** What has happened lately, ms before the latest of all. */
const LATELY_MS = 10 * 60_000

/** Subscriptions to single accounts: the busiest first, then those that have lately been so. */
export async function busiestFirst(
  probe: Probe,
  channel: Channel,
  keys: readonly JsonObject[],
): Promise<JsonObject[]> {
  // At the same time: the first would be silent for too long while the last are opened.
  const followed = await Promise.all(
    keys.map(async (key) => {
      const socket = await openOn(probe, channel)
      const early = await command(probe, socket, channel, 'subscribe', key)
      const first = pushesIn(probe, channel, [...early, ...(await untilPong(socket, channel))])
      return { key, socket, times: first.flatMap(timesIn), count: 0 }
    }),
  )
  const latestMs = Math.max(...followed.flatMap(({ times }) => times.slice(0, 1)))
  const lately = (times: readonly number[]) =>
    times.filter((time) => time > latestMs - LATELY_MS).length
  const most = () => Math.max(...followed.map(({ count }) => count))
  const listen = async () => {
    const heard = followed.map(async (one) => {
      one.count += pushesIn(probe, channel, await untilPong(one.socket, channel)).length
    })
    await Promise.all(heard)
  }
  const spans = probe.target.control ? SPANS : SPANS_OF_REAL_TIME
  await probe.listenUntil(() => most() >= BUSY, listen, { spanMs: SPAN_MS, spans })
  for (const { socket } of followed) socket.close()
  return followed
    .sort((one, other) => other.count - one.count || lately(other.times) - lately(one.times))
    .map(({ key }) => key)
}

/** When happened what a push lists, the latest first; nothing of states. */
function timesIn({ data }: SocketFrame): number[] {
  const lists = isJsonObject(data) && data.isSnapshot === true ? Object.values(data) : []
  const rows = lists.filter(Array.isArray).flat().filter(isJsonObject)
  return rows.map(({ time }) => Number(time)).sort((one, other) => other - one)
}
