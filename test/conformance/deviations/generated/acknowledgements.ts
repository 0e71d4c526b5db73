/** Acknowledgements on `/ws`: each field wrong in every way, late, lost or duplicated. */
import type { JsonObject } from '../../../../src/conformance/responses.ts'
import type { Channel } from '../../../../src/contract/channel.ts'
import type { Deviation } from '../deviation.ts'
import {
  dataIn,
  type Frame,
  type FrameRules,
  isAckOf,
  isPushOf,
  subscriptionIn,
  talking,
} from './conversation.ts'

export function ackDeviations(channel: Channel): Deviation[] {
  if (channel.dialect.name !== 'official') return []
  const { counted } = channel
  return [
    ...Object.entries(ANY),
    ...Object.entries(counted ? COUNTED : UNCOUNTED),
    ...Object.keys(channel.subscription.properties).flatMap(echoes),
  ]
    .map(([what, change]): [string, () => FrameRules] => [
      what,
      () => ({
        heard: (frame) => (isAckOf(channel, frame) ? change(frame) : [frame]),
      }),
    ])
    .concat(Object.entries(LATE).map(([what, begin]) => [what, () => begin(channel)]))
    .map(([what, begin]) => ({
      id: `ack.${channel.id}: ${what}`,
      class: 'ack',
      of: channel.id,
      change: () => talking(channel, begin),
    }))
}

type AckChange = (frame: Frame) => Frame[]

const inData =
  (change: (data: JsonObject) => JsonObject): AckChange =>
  (frame) => [{ ...frame, data: change(dataIn(frame)) }]

const without = (name: string) => inData(({ [name]: _, ...data }) => data)

const having = (more: JsonObject) => inData((data) => ({ ...data, ...more }))

const isEnd = (frame: Frame) => dataIn(frame).method === 'unsubscribe'

const ANY: Record<string, AckChange> = {
  'subscribing is not acknowledged': (frame) => (isEnd(frame) ? [frame] : []),
  'unsubscribing is not acknowledged': (frame) => (isEnd(frame) ? [] : [frame]),
  'it comes twice': (frame) => [frame, frame],
  'its channel has another name': (frame) => [{ ...frame, channel: 'subscription' }],
  'method is missing': without('method'),
  'method is always subscribe': having({ method: 'subscribe' }),
  'method is always unsubscribe': having({ method: 'unsubscribe' }),
  'subscription is missing': without('subscription'),
  'subscription is text': inData((data) => ({
    ...data,
    subscription: JSON.stringify(data.subscription),
  })),
}

const COUNTED: Record<string, AckChange> = {
  'status is missing': without('status'),
  'status is in capitals': inData((data) => ({
    ...data,
    status: String(data.status).toUpperCase(),
  })),
  'status is always subscribed': having({ status: 'subscribed' }),
  'a repeat is subscribed': replaced('alreadySubscribed', 'subscribed'),
  'the end is notSubscribed': replaced('unsubscribed', 'notSubscribed'),
  'the end of nothing is unsubscribed': replaced('notSubscribed', 'unsubscribed'),
  'activeCount is missing': without('activeCount'),
  'activeCount is text': inData((data) => ({ ...data, activeCount: String(data.activeCount) })),
  'activeCount is one more': inData((data) => ({
    ...data,
    activeCount: Number(data.activeCount) + 1,
  })),
  'activeCount is one fewer': inData((data) => ({
    ...data,
    activeCount: Number(data.activeCount) - 1,
  })),
  'activeCount is always 1': having({ activeCount: 1 }),
}

function replaced(status: string, other: string): AckChange {
  return inData((data) => (data.status === status ? { ...data, status: other } : data))
}

const UNCOUNTED: Record<string, AckChange> = {
  'status is sent': having({ status: 'subscribed' }),
  'activeCount is sent': having({ activeCount: 1 }),
}

/** One field of the echoed subscription. */
const echoes = (name: string): [string, AckChange][] => {
  const changed = (change: (subscription: JsonObject) => JsonObject) =>
    inData((data) => {
      const subscription = subscriptionIn(data)
      return name in subscription ? { ...data, subscription: change(subscription) } : data
    })
  return [
    [`${name} is not repeated`, changed(({ [name]: _, ...subscription }) => subscription)],
    [`${name} is repeated as another`, changed((one) => ({ ...one, [name]: `${one[name]}x` }))],
  ]
}

/** An acknowledgement after its pushes. */
const LATE: Record<string, (channel: Channel) => FrameRules> = {
  'it comes after the first push': (channel) => {
    let held: Frame | null = null
    return {
      heard: (frame) => {
        if (
          isAckOf(channel, frame) &&
          dataIn(frame).status !== 'alreadySubscribed' &&
          !isEnd(frame)
        ) {
          held = frame
          return []
        }
        if (held === null || !isPushOf(channel, frame)) return [frame]
        const late = held
        held = null
        return [frame, late]
      },
    }
  },
}
