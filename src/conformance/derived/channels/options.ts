import type { Channel } from '../../../contract/channel.ts'
import { assertAtLeast } from '../../assertions.ts'
import type { Probe } from '../../probe.ts'
import { command, isOfficial, openOn, pushesIn, untilPong } from './channel-dialogue.ts'
import { judgeFresh } from './stale.ts'
import { isUserChannel, subscriptionKeys, withOptions } from './subscription-keys.ts'

/** Accounts whose pushes are looked at, each with every option. */
const ACCOUNTS = 24
/** Long enough for something to be pushed, and too short to make signatures older, ms. */
const SPAN_MS = 8_000

/** Every option is acknowledged field for field, and what is pushed with it is as declared. */
export async function judgeOptions(probe: Probe, channel: Channel): Promise<void> {
  await probe.holdTime()
  const keys = await subscriptionKeys(probe, channel, isUserChannel(channel) ? ACCOUNTS : 1)
  const asked = keys.flatMap((key, at) => (at === 0 ? withOptions(channel, key) : [key]))
  // At the same time: the first would be silent for too long while the last are opened.
  const followed = await Promise.all(
    asked.map(async (key) => {
      const socket = await openOn(probe, channel)
      const early = await command(probe, socket, channel, 'subscribe', key)
      pushesIn(probe, channel, early)
      return { socket, key }
    }),
  )
  await probe.waitUpTo(SPAN_MS)
  const judged = followed.map(async ({ socket, key }) => {
    const pushes = pushesIn(probe, channel, await untilPong(socket, channel))
    judgeFresh(probe, channel, pushes)
    if (channel.counted)
      assertAtLeast(probe, pushes.length, 1, `${JSON.stringify(key)} is followed by pushes`)
    pushesIn(probe, channel, await command(probe, socket, channel, 'unsubscribe', key))
    if (isOfficial(channel)) socket.close()
  })
  await Promise.all(judged)
}
