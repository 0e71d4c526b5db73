/** Each channel: its acknowledgement, its first push, and who may follow it. */
import type { Channel } from '../../contract/channel.ts'
import { meaningOf } from '../../contract/meaning.ts'
import { fieldsOf } from '../../contract/parameters.ts'
import type { Case } from '../case.ts'
import { someHolding } from '../finding-out.ts'
import { same } from '../judging.ts'
import type { Probe } from '../probe.ts'
import { ProbeSocket } from '../probe-socket.ts'
import { isRow } from '../reading.ts'
import { requirementsOf } from '../requirements.ts'
import { schemaFlaw } from '../schema-flaw.ts'

/** Ways of speaking of the official dialect's own path are left to the venue's profile. */
export function channelCases(channel: Channel): Case[] {
  const checks = requirementsOf(channel.id, 'answer')
  return [
    {
      id: `channel.${channel.id}.push`,
      title: `${channel.id} acknowledges a subscription and pushes what it declares`,
      checks,
      // It lets time pass where it can.
      alone: true,
      run: (probe) => follows(probe, channel),
    },
    {
      id: `channel.${channel.id}.permission`,
      title: `${channel.id} gives no socket to a key without the permission`,
      checks: requirementsOf(channel.id, 'access'),
      needs: ['bare'],
      async run(probe: Probe) {
        const opened = await probe.tryConnect({ path: channel.dialect.path, by: 'bare' })
        const words = `${channel.dialect.path} opens no socket for a key without rights`
        probe.hold(!(opened instanceof ProbeSocket), words)
        probe.hold(opened.status === 403, `the upgrade is refused with 403, not ${opened.status}`)
      },
    },
  ]
}

async function follows(probe: Probe, channel: Channel): Promise<void> {
  const socket = await probe.connect({ path: channel.dialect.path })
  const isOfficial = channel.dialect.name === 'official'
  const subscription = await subscriptionOf(probe, channel)
  const asked = isOfficial
    ? { method: 'subscribe', subscription }
    : { type: 'subscribe', address: [subscription.address] }
  socket.say(asked)
  const reply = await socket.until(
    (frame) => (isOfficial ? frame.channel === 'subscriptionResponse' : frame.type === 'subscribe'),
    `${channel.id} acknowledges the subscription`,
  )
  if (isOfficial) {
    const data = isRow(reply.data) ? reply.data : {}
    probe.hold(data.method === 'subscribe', 'the acknowledgement repeats the method', reply)
    probe.hold(same(data.subscription, subscription), 'it repeats the subscription whole', reply)
    probe.hold(
      ('status' in data && 'activeCount' in data) === channel.counted,
      `status and activeCount ${channel.counted ? 'are' : 'are not'} told on ${channel.id}`,
      reply,
    )
  }
  const pushed = await nextPush(probe, channel, socket)
  if (pushed === null) return
  const { stale: _, ...data } = isRow(pushed) ? pushed : { stale: null }
  const flaw = schemaFlaw(channel.data, Array.isArray(pushed) ? pushed : data)
  probe.hold(flaw === null, `${channel.id}: ${flaw}`, pushed)
  probe.saw(channel.id, channel.data, pushed)
}

/** The data of the first push; null when the target has none to tell for now. */
async function nextPush(probe: Probe, { id, dialect }: Channel, socket: ProbeSocket) {
  const { control, patienceMs } = probe.target
  for (let tries = 0; tries < 40; tries++) {
    const frame = await socket.next(control ? 0 : patienceMs)
    const isPush = frame && (dialect.name === 'official' ? frame.channel === id : 'data' in frame)
    if (isPush) return frame.data
    if (frame === null && control) await control.advance(1_000)
    else if (frame === null) return null
  }
  return null
}

async function subscriptionOf(probe: Probe, channel: Channel): Promise<Named> {
  const example = { ...channel.examples[0] } as Named
  const who = fieldsOf('body', channel.subscription).find(
    ({ schema }) => meaningOf(schema) === 'address',
  )
  return who ? { ...example, [who.name]: (await someHolding(probe)).address } : example
}

type Named = Record<string, unknown>
