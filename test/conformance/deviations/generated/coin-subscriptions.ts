/** Effects of a subscription on `/ws`: recipients, start, frequency and end. */
import type { JsonObject } from '../../../../src/conformance/responses.ts'
import type { Channel } from '../../../../src/contract/channel.ts'
import type { Deviation } from '../deviation.ts'
import {
  dataIn,
  type Frame,
  type FrameRules,
  isAbout,
  isAckOf,
  isPushOf,
  type ChannelRule as Rule,
  subjectOf,
  subjectRequested,
  subscriptionIn,
  talking,
} from './conversation.ts'
import { hasSnapshot } from './pushes.ts'
import { subscriptionOptions } from './subscription-options.ts'

export function subscriptionDeviations(channel: Channel): Deviation[] {
  if (channel.dialect.name !== 'official') return []
  const fields = Object.entries(channel.subscription.properties)
  return [
    ...Object.entries(RULES),
    ...(channel.counted ? Object.entries(OF_COINS) : []),
    ...(hasSnapshot(channel) ? Object.entries(OF_SNAPSHOTS) : []),
    ...(channel.pushPolicy.stateOf ? Object.entries(OF_STATES) : []),
    ...fields
      .filter(([name]) => name !== 'type')
      .flatMap(([name, schema]) => subscriptionOptions(name, schema)),
  ].map(([what, begin]) => ({
    id: `subscription.${channel.id}: ${what}`,
    class: 'subscription',
    of: channel.id,
    change: () => talking(channel, () => begin(channel)),
  }))
}

/** Drops or duplicates pushes, depending on earlier commands. */
const pushRule = (
  channel: Channel,
  memory: { ack?: (frame: Frame) => void },
  change: (frame: Frame) => Frame[],
): FrameRules => ({
  heard: (frame) => {
    if (isAckOf(channel, frame)) memory.ack?.(frame)
    return isPushOf(channel, frame) ? change(frame) : [frame]
  },
})

const methodOf = (frame: Frame) => dataIn(frame).method

const RULES: Record<string, Rule> = {
  'nothing is pushed': (channel) => pushRule(channel, {}, () => []),
  'only the first is pushed': (channel) => {
    let isFirst = true
    const ack = () => {
      isFirst = true
    }
    return pushRule(channel, { ack }, (frame) => {
      const passes = isFirst
      isFirst = false
      return passes ? [frame] : []
    })
  },
  'everything is pushed twice': (channel) => pushRule(channel, {}, (frame) => [frame, frame]),
  'after a repeat everything is pushed twice': (channel) => {
    const requested = new Set<string>()
    let isDoubled = false
    const ack = (frame: Frame) => {
      const key = JSON.stringify(dataIn(frame).subscription)
      if (methodOf(frame) === 'subscribe' && requested.has(key)) isDoubled = true
      requested.add(key)
    }
    return pushRule(channel, { ack }, (frame) => (isDoubled ? [frame, frame] : [frame]))
  },
  'unsubscribing is only said': (channel) => ({
    sent: (frame, tell) => {
      if (frame.method !== 'unsubscribe' || !isAbout(channel, frame)) return [frame]
      const confirmation = channel.counted ? { status: 'unsubscribed', activeCount: 0 } : {}
      const { method, subscription } = frame
      tell({ channel: 'subscriptionResponse', data: { method, subscription, ...confirmation } })
      return []
    },
  }),
  'once unsubscribed it is never pushed again': (channel) => {
    let hasEnded = false
    const ack = (frame: Frame) => {
      hasEnded ||= methodOf(frame) === 'unsubscribe'
    }
    return pushRule(channel, { ack }, (frame) => (hasEnded ? [] : [frame]))
  },
}

/** Subjects requested on a connection, in order. */
function inOrder(change: (subjects: string[], frame: Frame) => Frame[]): Rule {
  return (channel) => {
    const subjects: string[] = []
    const ack = (frame: Frame) => {
      const subject = subjectRequested(subscriptionIn(dataIn(frame)))
      if (methodOf(frame) === 'subscribe' && !subjects.includes(subject)) subjects.push(subject)
    }
    return pushRule(channel, { ack }, (frame) => change(subjects, frame))
  }
}

const OF_COINS: Record<string, Rule> = {
  'a second coin is never pushed': inOrder((coins, frame) =>
    subjectOf(frame) === coins[0] ? [frame] : [],
  ),
  'a second coin ends the first': inOrder((coins, frame) =>
    subjectOf(frame) === coins.at(-1) ? [frame] : [],
  ),
  'unsubscribing one coin ends all': (channel) => {
    let hasEnded = false
    const ack = (frame: Frame) => {
      hasEnded = methodOf(frame) === 'unsubscribe'
    }
    return pushRule(channel, { ack }, (frame) => (hasEnded ? [] : [frame]))
  },
  'a coin without a subscription is pushed': inOrder((_, frame) => [
    frame,
    JSON.parse(JSON.stringify(frame).replaceAll(`"${subjectOf(frame)}"`, '"NOBODY"')) as Frame,
  ]),
  'coin is in lower case': inOrder((_, frame) => [
    JSON.parse(
      JSON.stringify(frame).replaceAll(
        `"${subjectOf(frame)}"`,
        `"${subjectOf(frame).toLowerCase()}"`,
      ),
    ) as Frame,
  ]),
}

const OF_SNAPSHOTS: Record<string, Rule> = {
  'nothing is pushed at once, only what happens': (channel) => {
    let isAwaited = false
    const ack = (frame: Frame) => {
      const { method, status } = dataIn(frame)
      isAwaited = method === 'subscribe' && status !== 'alreadySubscribed'
    }
    return pushRule(channel, { ack }, (frame) => {
      const passes = !isAwaited
      isAwaited = false
      return passes ? [frame] : []
    })
  },
  'what is pushed first is empty': (channel) => {
    let isAwaited = false
    const ack = (frame: Frame) => {
      isAwaited = methodOf(frame) === 'subscribe'
    }
    return pushRule(channel, { ack }, (frame) => {
      const given = isAwaited ? { ...frame, data: {} } : frame
      isAwaited = false
      return [given]
    })
  },
}

const inPush =
  (change: (data: JsonObject) => JsonObject): Rule =>
  (channel) =>
    pushRule(channel, {}, (frame) => {
      const { stale: _, ...outer } = frame
      return [{ ...outer, data: change({ ...dataIn(frame) }) }]
    })

const OF_STATES: Record<string, Rule> = {
  'stale is never said': inPush(({ stale: _, ...data }) => data),
  'stale is always said': inPush((data) => ({ ...data, stale: true })),
  'stale is text': inPush((data) => ('stale' in data ? { ...data, stale: 'true' } : data)),
  'nothing is sent again while nothing happens': (channel) => {
    const seen = new Set<string>()
    return pushRule(channel, {}, (frame) => {
      const { stale: _, ...data } = dataIn(frame)
      const text = JSON.stringify(data)
      if (seen.has(text)) return []
      seen.add(text)
      return [frame]
    })
  },
}
