import type { Channel } from '../../../contract/channel.ts'
import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import { isSameJson } from '../../value-checks.ts'
import { exchanged, isOf, openOn } from './channel-dialogue.ts'
import { isUserChannel, subscriptionKeys } from './subscription-keys.ts'

type Step = ['subscribe' | 'unsubscribe', which: number, status: string, activeCount: number]

/** Every transition of a key beside another one, and what its acknowledgement tells. */
const STEPS: readonly Step[] = [
  ['unsubscribe', 0, 'notSubscribed', 0],
  ['subscribe', 0, 'subscribed', 1],
  ['subscribe', 1, 'subscribed', 2],
  ['subscribe', 0, 'alreadySubscribed', 2],
  ['unsubscribe', 0, 'unsubscribed', 1],
  ['unsubscribe', 0, 'notSubscribed', 1],
  ['subscribe', 0, 'subscribed', 2],
  ['unsubscribe', 1, 'unsubscribed', 1],
  ['unsubscribe', 0, 'unsubscribed', 0],
]

/** Each command is acknowledged once, before what it brings, with the state that it leads to. */
export async function judgeAcknowledgements(probe: Probe, channel: Channel): Promise<void> {
  await probe.holdTime()
  const keys = await subscriptionKeys(probe, channel, 2)
  if (keys.length < 2) probe.skip('the target lists only one to follow')
  const socket = await openOn(probe, channel)
  const asked = new Set<number>()
  for (const [method, which, ...right] of STEPS) {
    // A second account takes the place of the first, or not (open).
    if (which === 1 && isUserChannel(channel)) continue
    const key = keys[which] as JsonObject
    const { before, reply } = await exchanged(probe, socket, channel, method, key)
    const early = asked.has(which) ? undefined : before.find((frame) => isOf(key, frame))
    probe.assert(!early, `nothing of ${channel.id} comes before its acknowledgement`, early)
    const twice = before.find((frame) => frame.channel === 'subscriptionResponse')
    probe.assert(!twice, 'a command is acknowledged once', twice)
    const { status, activeCount } = isJsonObject(reply.data) ? reply.data : {}
    if (channel.counted)
      probe.assert(
        isSameJson([status, activeCount], right),
        `${method} of ${channel.id} is ${right.join(', activeCount ')} after what was asked before`,
        reply,
      )
    if (method === 'subscribe') asked.add(which)
  }
}
