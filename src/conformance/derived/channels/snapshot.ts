import type { Channel } from '../../../contract/channel.ts'
import { assertSame } from '../../assertions.ts'
import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import type { ProbeSocket, SocketFrame } from '../../probe-socket.ts'
import { someCoins } from '../../target-lookups.ts'
import { isSameJson } from '../../value-checks.ts'
import { command, isOf, openOn, pushesIn, untilPong } from './channel-dialogue.ts'
import { subscriptionKeys } from './subscription-keys.ts'

/**
 * The first push is the snapshot of what was asked for. While the target's time stands nothing
 * happens, so that what comes then is no live push.
 */
export async function judgeSnapshot(probe: Probe, channel: Channel): Promise<void> {
  const isHeld = await probe.holdTime()
  const keys = await subscriptionKeys(probe, channel, 2)
  for (const key of keys) {
    const socket = await openOn(probe, channel)
    const early = await command(probe, socket, channel, 'subscribe', key)
    assertSame(probe, early, [], `nothing of ${channel.id} comes before its acknowledgement`)
    const first = isHeld ? pushesIn(probe, channel, await untilPong(socket, channel)) : []
    const snapshot = first[0] ?? (isHeld ? null : await firstPush(probe, channel, socket))
    probe.assert(snapshot, `${channel.id} pushes its snapshot before anything happens`)
    probe.assert(isOf(key, snapshot), `the snapshot of ${channel.id} is of what was asked for`, {
      expected: key,
      found: snapshot,
    })
    await judgeOnce(probe, channel, key)
    if (saysSnapshot(channel))
      probe.assert(isJsonObject(snapshot.data) && snapshot.data.isSnapshot === true, SAYS, snapshot)
  }
  await judgeTurns(probe, channel, await withDexes(probe, channel, keys))
}

/** When one has ended, another on the same connection has a snapshot of its own. */
async function judgeTurns(
  probe: Probe,
  channel: Channel,
  keys: readonly JsonObject[],
): Promise<void> {
  const socket = await openOn(probe, channel)
  for (const key of keys) {
    await command(probe, socket, channel, 'subscribe', key)
    const first = await firstPush(probe, channel, socket)
    // What was on its way for the one before may come first.
    const pushes = [first ?? [], pushesIn(probe, channel, await untilPong(socket, channel))].flat()
    const own = pushes.some((frame) => isOf(key, frame))
    probe.assert(own, `${channel.id} pushes what was asked for after another has ended`, pushes[0])
    await command(probe, socket, channel, 'unsubscribe', key)
  }
}

/** The first with each dex, where a subscription names one; then the others. */
async function withDexes(
  probe: Probe,
  channel: Channel,
  keys: readonly JsonObject[],
): Promise<JsonObject[]> {
  if (!('dex' in channel.subscription.properties)) return [...keys]
  const coins = await someCoins(probe)
  const dexes = coins.filter((coin) => coin.includes(':')).map((coin) => coin.split(':')[0])
  const named = ['', ...new Set(dexes)].slice(0, DEXES).map((dex) => ({ ...keys[0], dex }))
  return [...named, ...named.slice(0, 1), ...keys]
}

/** The main one, and one that a builder runs. */
const DEXES = 2

/**
 * The snapshot comes once: where time goes on others may follow it, but not the same at once. In a
 * fast market a silent one is sent again while one waits, though not on each connection.
 */
async function judgeOnce(probe: Probe, channel: Channel, key: JsonObject): Promise<void> {
  let twice: SocketFrame[] = []
  for (let tries = 0; tries <= probe.retries; tries++) {
    const socket = await openOn(probe, channel)
    await command(probe, socket, channel, 'subscribe', key)
    const [one, two] = pushesIn(probe, channel, await untilPong(socket, channel))
    socket.close()
    if (!one || !two || !isSameJson(one, two)) return
    twice = [one, two]
  }
  probe.assert(false, `the snapshot of ${channel.id} is pushed once`, twice)
}

const SAYS = 'it says that it is a snapshot'

const saysSnapshot = ({ data }: Channel): boolean => 'isSnapshot' in (data.properties ?? {})

async function firstPush(
  probe: Probe,
  channel: Channel,
  socket: ProbeSocket,
): Promise<SocketFrame | null> {
  const frame = await socket.next()
  return frame ? (pushesIn(probe, channel, [frame])[0] ?? null) : null
}
