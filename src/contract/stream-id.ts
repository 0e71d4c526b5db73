import type { Channel } from './channel.ts'

type Subscription = Record<string, unknown>

/** Two subscriptions of a connection with the same key are the same one. */
export const subscriptionKey = (channel: Channel, subscription: Subscription): string =>
  nameBy(channel.key, channel, subscription)

/** Two subscriptions with the same id, of any connections, are pushed the same. */
export const streamId = (channel: Channel, subscription: Subscription): string =>
  nameBy([...channel.key, ...channel.options], channel, subscription)

function nameBy(fields: readonly string[], { dialect, id }: Channel, subscription: Subscription) {
  const values = fields.map((field) => subscription[field] ?? '')
  return `${dialect.path} ${id}/${values.join('/')}`
}
