/** Each channel: its acknowledgement, its first push, and who may follow it. */
import type { Channel } from '../../contract/channel.ts'
import { meaningOf } from '../../contract/meaning.ts'
import { fieldsOf } from '../../contract/parameters.ts'
import type { Case } from '../case.ts'
import { isJsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import { ProbeSocket } from '../probe-socket.ts'
import { requirementsOf } from '../requirements.ts'
import { schemaMismatch } from '../schema-mismatch.ts'
import { someOpenPosition } from '../target-lookups.ts'
import { isSameJson } from '../value-checks.ts'

/** Ways of speaking of the official dialect's own path are left to the venue's profile. */
export function channelCases(channel: Channel): Case[] {
  const checks = requirementsOf(channel.id, 'answer')
  return [
    {
      id: `channel.${channel.id}.push`,
      title: `${channel.id} acknowledges a subscription and pushes what it declares`,
      checks,
      // It lets time pass where it can.
      exclusive: true,
      run: (probe) => checkSubscription(probe, channel),
    },
    {
      id: `channel.${channel.id}.permission`,
      title: `${channel.id} gives no socket to a key without the permission`,
      checks: requirementsOf(channel.id, 'access'),
      needs: ['bare'],
      async run(probe: Probe) {
        const opened = await probe.tryConnect({ path: channel.dialect.path, signedBy: 'bare' })
        const words = `${channel.dialect.path} opens no socket for a key without rights`
        probe.assert(!(opened instanceof ProbeSocket), words)
        probe.assert(opened.status === 403, `the upgrade is refused with 403, not ${opened.status}`)
      },
    },
  ]
}

async function checkSubscription(probe: Probe, channel: Channel): Promise<void> {
  const socket = await probe.connect({ path: channel.dialect.path })
  const isOfficial = channel.dialect.name === 'official'
  const subscription = await subscriptionOf(probe, channel)
  const request = isOfficial
    ? { method: 'subscribe', subscription }
    : { type: 'subscribe', address: [subscription.address] }
  socket.sendJson(request)
  const reply = await socket.waitFor(
    (frame) => (isOfficial ? frame.channel === 'subscriptionResponse' : frame.type === 'subscribe'),
    `${channel.id} acknowledges the subscription`,
  )
  if (isOfficial) {
    const data = isJsonObject(reply.data) ? reply.data : {}
    probe.assert(data.method === 'subscribe', 'the acknowledgement repeats the method', reply)
    probe.assert(
      isSameJson(data.subscription, subscription),
      'it repeats the subscription whole',
      reply,
    )
    probe.assert(
      ('status' in data && 'activeCount' in data) === channel.counted,
      `status and activeCount ${channel.counted ? 'are' : 'are not'} told on ${channel.id}`,
      reply,
    )
  }
  const pushed = await nextPush(probe, channel, socket)
  if (pushed === null) return
  const { stale: _, ...data } = isJsonObject(pushed) ? pushed : { stale: null }
  const flaw = schemaMismatch(channel.data, Array.isArray(pushed) ? pushed : data)
  probe.assert(flaw === null, `${channel.id}: ${flaw}`, pushed)
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

async function subscriptionOf(probe: Probe, channel: Channel): Promise<NamedFields> {
  const example = { ...channel.examples[0] } as NamedFields
  const who = fieldsOf('body', channel.subscription).find(
    ({ schema }) => meaningOf(schema) === 'address',
  )
  return who ? { ...example, [who.name]: (await someOpenPosition(probe)).address } : example
}

type NamedFields = Record<string, unknown>
