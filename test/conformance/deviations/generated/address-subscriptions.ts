/** The three multi-address paths: replies, statistics, and subscriptions. */
import type { Channel } from '../../../../src/contract/channel.ts'
import type { Deviation } from '../deviation.ts'
import { dataIn, type Frame, type FrameRules, isPushOf, talking } from './conversation.ts'

export function addressDeviations(channel: Channel): Deviation[] {
  if (channel.dialect.name !== 'addresses') return []
  return [
    ...Object.entries(FRAMES).map(([what, heard]): [string, () => FrameRules] => [
      what,
      () => ({ heard }),
    ]),
    ...STATISTICS.flatMap(statistics),
    ...Object.entries(RULES).map(([what, begin]): [string, () => FrameRules] => [
      what,
      () => begin(channel),
    ]),
  ].map(([what, begin]) => ({
    id: `subscription.${channel.id}: ${what}`,
    class: 'subscription',
    of: channel.id,
    change: () => talking(channel, begin),
  }))
}

const onType =
  (type: string, change: (frame: Frame) => Frame[]) =>
  (frame: Frame): Frame[] =>
    frame.type === type ? change(frame) : [frame]

const FRAMES: Record<string, (frame: Frame) => Frame[]> = {
  'subscribing is not answered': onType('subscribe', () => []),
  'subscribing is answered with more': onType('subscribe', (frame) => [{ ...frame, data: [] }]),
  'subscribing is answered on a channel': onType('subscribe', ({ type }) => [{ channel: type }]),
  'unsubscribing is not answered': onType('unsubscribe', () => []),
  'unsubscribing is answered as subscribing': onType('unsubscribe', () => [{ type: 'subscribe' }]),
  'a ping is not answered': onType('pong', () => []),
  'a ping is answered on a channel': onType('pong', () => [{ channel: 'pong' }]),
  'a ping is answered with a ping': onType('pong', () => [{ type: 'ping' }]),
  'a stat is not answered': onType('stat', () => []),
  'a stat has no data': onType('stat', ({ data, ...frame }) => [{ ...frame, ...(data as object) }]),
}

const STATISTICS = [
  ...['addressCount', 'duration', 'sentMsgCount', 'msgPerSecond', 'discardedCount', 'queueLen'],
]

function statistics(name: string): [string, () => FrameRules][] {
  const inStat = (change: (data: Frame) => Frame) => () => ({
    heard: onType('stat', (frame) => [{ ...frame, data: change(dataIn(frame)) }]),
  })
  const isText = name === 'duration'
  return [
    [`${name} is missing`, inStat(({ [name]: _, ...data }) => data)],
    [`${name} is null`, inStat((data) => ({ ...data, [name]: null }))],
    [
      `${name} is of another type`,
      inStat((data) => ({ ...data, [name]: isText ? 1 : String(data[name]) })),
    ],
  ]
}

const addressesIn = ({ address }: Frame): string[] =>
  Array.isArray(address) ? address.map(String) : []

const counting = (change: (count: number) => number) =>
  onType('stat', (frame) => {
    const data = dataIn(frame)
    return [{ ...frame, data: { ...data, addressCount: change(Number(data.addressCount)) } }]
  })

const RULES: Record<string, (channel: Channel) => FrameRules> = {
  'addressCount is one more': () => ({ heard: counting((count) => count + 1) }),
  'addressCount counts repeats': () => {
    let repeats = 0
    const seen = new Set<string>()
    return {
      sent: (frame) => {
        for (const address of frame.type === 'subscribe' ? addressesIn(frame) : []) {
          if (seen.has(address)) repeats++
          seen.add(address)
        }
        return [frame]
      },
      heard: counting((count) => count + repeats),
    }
  },
  'only the first address is followed': () => ({
    sent: (frame) =>
      frame.type === 'subscribe'
        ? [{ ...frame, address: addressesIn(frame).slice(0, 1) }]
        : [frame],
  }),
  'new addresses take the place of the others': () => {
    const followed = new Set<string>()
    return {
      sent: (frame) => {
        if (frame.type !== 'subscribe') return [frame]
        const others = [...followed].filter((one) => !addressesIn(frame).includes(one))
        followed.clear()
        for (const address of addressesIn(frame)) followed.add(address)
        if (others.length === 0) return [frame]
        return [{ type: 'unsubscribe', address: others }, frame]
      },
      heard: (frame) => [frame],
    }
  },
  'unsubscribing is only said': () => ({
    sent: (frame, tell) => {
      if (frame.type !== 'unsubscribe') return [frame]
      tell({ type: 'unsubscribe' })
      return []
    },
  }),
  'unsubscribing one address ends all': (channel) => {
    let hasEnded = false
    return {
      sent: (frame) => {
        if (frame.type === 'unsubscribe') hasEnded = true
        if (frame.type === 'subscribe') hasEnded = false
        return [frame]
      },
      heard: (frame) => (hasEnded && isPushOf(channel, frame) ? [] : [frame]),
    }
  },
  'nothing is pushed': (channel) => ({
    heard: (frame) => (isPushOf(channel, frame) ? [] : [frame]),
  }),
  'everything is pushed twice': (channel) => ({
    heard: (frame) => (isPushOf(channel, frame) ? [frame, frame] : [frame]),
  }),
  'it is pushed for somebody else': (channel) => ({
    heard: (frame) => {
      if (!isPushOf(channel, frame)) return [frame]
      const other = JSON.stringify(frame).replaceAll(String(dataIn(frame).address), UNUSED_ADDRESS)
      return [JSON.parse(other) as Frame]
    },
  }),
  'close is not obeyed': () => ({ sent: (frame) => (frame.type === 'close' ? [] : [frame]) }),
  'close is answered': () => ({
    sent: (frame, tell) => {
      if (frame.type === 'close') tell({ type: 'close' })
      return [frame]
    },
  }),
}

const UNUSED_ADDRESS = '0x00000000000000000000000000000000000000ff'
