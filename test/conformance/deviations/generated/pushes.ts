/**
 * Every field of pushes, of the first or of live ones in turn, wrong; and of the frame around it.
 */
import { isJsonObject } from '../../../../src/conformance/responses.ts'
import type { Channel } from '../../../../src/contract/channel.ts'
import type { Deviation } from '../deviation.ts'
import { dataIn, type Frame, isAckOf, isPushOf, talking } from './conversation.ts'
import { fieldChanges } from './field-changes.ts'
import { schemaFields } from './schema-fields.ts'

export function pushDeviations(channel: Channel): Deviation[] {
  const fields = schemaFields(channel.data).flatMap((field, at) =>
    fieldChanges(field, at).map((change): [string, (frame: Frame) => Frame] => [
      `${field.path} ${change.what}`,
      (frame) => {
        const data = structuredClone(frame.data)
        for (const holder of field.holders(data)) change.apply(holder, field.name)
        return { ...frame, data }
      },
    ]),
  )
  const frames = Object.entries(channel.dialect.name === 'official' ? OFFICIAL : ADDRESSES)
  return [...fields, ...frames].map(([what, change], at) =>
    pushed(channel, hasSnapshot(channel) && at % 2 === 0 ? 'snapshot' : 'push', what, change),
  )
}

/** Whether a subscription pushes at once: not for single fills, orders and trades. */
export const hasSnapshot = ({ id }: Channel): boolean => !NO_SNAPSHOT.includes(id)

const NO_SNAPSHOT = ['trades', 'addressFills', 'addressFilledOrders']

/** The first push after an acknowledgement, or all later ones. */
const pushed = (
  channel: Channel,
  when: 'snapshot' | 'push',
  what: string,
  change: (frame: Frame) => Frame,
): Deviation => ({
  id: `${when}.${channel.id}: ${what}`,
  class: when,
  of: channel.id,
  change: () =>
    talking(channel, () => {
      let isFirst = hasSnapshot(channel)
      return {
        heard: (frame) => {
          if (isAckOf(channel, frame) || frame.type === 'subscribe') isFirst = hasSnapshot(channel)
          if (!isPushOf(channel, frame)) return [frame]
          const isMeant = isFirst === (when === 'snapshot')
          isFirst = false
          return [isMeant ? change(frame) : frame]
        },
      }
    }),
})

const OFFICIAL: Record<string, (frame: Frame) => Frame> = {
  'the channel has another name': (frame) => ({ ...frame, channel: `${frame.channel}s` }),
  'the channel is called type': ({ channel, ...frame }) => ({ type: channel, ...frame }),
  'the data is not in data': ({ channel, data }) =>
    isJsonObject(data) ? { channel, ...data } : { channel, rows: data },
  'the data is text': (frame) => ({ ...frame, data: JSON.stringify(frame.data) }),
}

const ADDRESSES: Record<string, (frame: Frame) => Frame> = {
  'the frame is of another type': ({ data }) => ({ type: 'push', data }),
  'the data is not in data': (frame) => ({ type: 'data', ...dataIn(frame) }),
  'the data is a list': (frame) => ({ ...frame, data: [frame.data] }),
}
