/** Options of a subscription that are not read, or read as others. */
import type { JsonObject } from '../../../../src/conformance/responses.ts'
import type { TSchema } from '../../../../src/contract/schema.ts'
import {
  dataIn,
  isAbout,
  isAckOf,
  type ChannelRule as Rule,
  subscriptionIn,
} from './conversation.ts'

/** What a subscription names besides is not read, or a value of it is read as another. */
export function subscriptionOptions(name: string, schema: TSchema): [string, Rule][] {
  const words = (schema.enum as string[] | undefined) ?? []
  return [
    [`${name} is kept from the first`, reading(keptFromFirst(name))],
    [
      `${name} is left out`,
      reading(
        () =>
          ({ [name]: _, ...asked }) =>
            asked,
      ),
    ],
    ...words.map((word, at): [string, Rule] => [
      `${name} ${word} is ${words[(at + 1) % words.length]}`,
      reading(
        () => (asked) =>
          asked[name] === word ? { ...asked, [name]: words[(at + 1) % words.length] } : asked,
      ),
    ]),
    ...words.map((word): [string, Rule] => [`${name} ${word} is refused`, refusing(name, word)]),
  ]
}

function keptFromFirst(name: string) {
  return () => {
    let first: unknown
    return (asked: JsonObject) => {
      first ??= asked[name]
      return name in asked ? { ...asked, [name]: first } : asked
    }
  }
}

/** Reads another subscription than it acknowledges. */
function reading(begin: () => (asked: JsonObject) => JsonObject): Rule {
  return (channel) => {
    const read = begin()
    const asked: JsonObject[] = []
    return {
      sent: (frame) => {
        if (!isAbout(channel, frame)) return [frame]
        const subscription = subscriptionIn(frame)
        asked.push(subscription)
        return [{ ...frame, subscription: read(subscription) }]
      },
      heard: (frame) => {
        if (!isAckOf(channel, frame)) return [frame]
        return [{ ...frame, data: { ...dataIn(frame), subscription: asked.shift() } }]
      },
    }
  }
}

const refusing =
  (name: string, word: string): Rule =>
  (channel) => ({
    sent: (frame, tell) => {
      if (!isAbout(channel, frame) || subscriptionIn(frame)[name] !== word) return [frame]
      tell({ channel: 'error', data: `invalid ${name}` })
      return []
    },
  })
