import type { Channel } from './channel.ts'

/** Two subscriptions with the same id are the same one. */
export function streamId(channel: Channel, subscription: Record<string, unknown>): string {
  const key = channel.key.map((field) => subscription[field] ?? '')
  return `${channel.dialect.path} ${channel.id}/${key.join('/')}`
}
