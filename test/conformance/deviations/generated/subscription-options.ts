/** Options of a subscription that are ignored or misread. */
import type { JsonObject } from '../../../../src/conformance/responses.ts'
import type { TSchema } from '../../../../src/contract/schema.ts'
import {
  dataIn,
  isAbout,
  isAckOf,
  type ChannelRule as Rule,
  subscriptionIn,
} from './conversation.ts'

/** Ignores a further field of a subscription, or misreads its value. */
export function subscriptionOptions(name: string, schema: TSchema): [string, Rule][] {
  const words = (schema.enum as string[] | undefined) ?? []
  return [
    [`${name} is kept from the first`, reading(keptFromFirst(name))],
    [
      `${name} is left out`,
      reading(
        () =>
          ({ [name]: _, ...requested }) =>
            requested,
      ),
    ],
    ...words.map((word, at): [string, Rule] => [
      `${name} ${word} is ${words[(at + 1) % words.length]}`,
      reading(
        () => (requested) =>
          requested[name] === word
            ? { ...requested, [name]: words[(at + 1) % words.length] }
            : requested,
      ),
    ]),
    ...words.map((word): [string, Rule] => [`${name} ${word} is refused`, refusing(name, word)]),
  ]
}

function keptFromFirst(name: string) {
  return () => {
    let first: unknown
    return (requested: JsonObject) => {
      first ??= requested[name]
      return name in requested ? { ...requested, [name]: first } : requested
    }
  }
}

/** Acknowledges one subscription and serves another. */
function reading(begin: () => (requested: JsonObject) => JsonObject): Rule {
  return (channel) => {
    const read = begin()
    const requested: JsonObject[] = []
    return {
      sent: (frame) => {
        if (!isAbout(channel, frame)) return [frame]
        const subscription = subscriptionIn(frame)
        requested.push(subscription)
        return [{ ...frame, subscription: read(subscription) }]
      },
      heard: (frame) => {
        if (!isAckOf(channel, frame)) return [frame]
        return [{ ...frame, data: { ...dataIn(frame), subscription: requested.shift() } }]
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
