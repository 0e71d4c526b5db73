import type { Channel } from '../../../contract/channel.ts'
import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import type { ProbeSocket, SocketFrame } from '../../probe-socket.ts'
import { isSameJson } from '../../value-checks.ts'
import { command, isOf, openOn, pushesIn, untilPong } from './channel-dialogue.ts'
import { subscriptionKeys } from './subscription-keys.ts'

/**
 * The first push is the snapshot of what was asked for. While the target's time stands nothing
 * happens, so that what comes then is no live push.
 */
export async function judgeSnapshot(probe: Probe, channel: Channel): Promise<void> {
  const isHeld = await probe.holdTime()
  for (const key of await subscriptionKeys(probe, channel, 2)) {
    const socket = await openOn(probe, channel)
    const early = await command(probe, socket, channel, 'subscribe', key)
    probe.assert(early.length === 0, `nothing of ${channel.id} comes before its acknowledgement`)
    const first = isHeld ? pushesIn(probe, channel, await untilPong(socket, channel)) : []
    const snapshot = first[0] ?? (isHeld ? null : await firstPush(probe, channel, socket))
    probe.assert(snapshot, `${channel.id} pushes its snapshot before anything happens`)
    probe.assert(isOf(key, snapshot), `the snapshot of ${channel.id} is of what was asked for`)
    await judgeOnce(probe, channel, key)
    if (saysSnapshot(channel))
      probe.assert(isJsonObject(snapshot.data) && snapshot.data.isSnapshot === true, SAYS, snapshot)
  }
}

/** Connections that are looked at: what comes twice by chance does not on each of them. */
const ONCE = 3

/** The snapshot comes once: where time goes on others may follow it, but not the same at once. */
async function judgeOnce(probe: Probe, channel: Channel, key: JsonObject): Promise<void> {
  for (let tries = 0; tries < ONCE; tries++) {
    const socket = await openOn(probe, channel)
    await command(probe, socket, channel, 'subscribe', key)
    const [one, two] = pushesIn(probe, channel, await untilPong(socket, channel))
    if (!one || !two || !isSameJson(one, two)) return
  }
  probe.assert(false, `the snapshot of ${channel.id} is pushed once`)
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
