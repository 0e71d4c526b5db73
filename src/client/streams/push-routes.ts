/** Which streams a push is for. */

import type { Stream } from './stream.ts'
import type { Frame } from './subscribe-protocol.ts'

export class PushRoutes {
  /** By the channel and what a push of it is about: a coin, a user, an address. */
  private readonly byTopic = new Map<string, Stream[]>()

  add(stream: Stream): void {
    const topic = topicOf(stream)
    this.byTopic.set(topic, [...(this.byTopic.get(topic) ?? []), stream])
  }

  remove(stream: Stream): void {
    const topic = topicOf(stream)
    const rest = (this.byTopic.get(topic) ?? []).filter((one) => one !== stream)
    if (rest.length > 0) this.byTopic.set(topic, rest)
    else this.byTopic.delete(topic)
  }

  /** Streams of a channel that a push concerns. */
  of(channel: string, isOfficial: boolean, data: unknown): readonly Stream[] {
    const about = Object(Array.isArray(data) ? data[0] : data) as Frame
    // Fills of accounts name a coin, too.
    const subject = isOfficial ? (about.coin ?? about.s ?? about.user) : about.address
    const found = this.byTopic.get(`${channel}/${String(subject).toLowerCase()}`) ?? NONE
    return found.every((stream) => isFor(stream, about))
      ? found
      : found.filter((stream) => isFor(stream, about))
  }
}

const NONE: readonly Stream[] = []

const topicOf = ({ channel, fields }: Stream) =>
  `${channel.id}/${String(fields[channel.key[0] ?? '']).toLowerCase()}`

/** Candles say their interval, states their dex. */
function isFor({ fields: { interval, dex } }: Stream, { i, dex: ofDex }: Frame): boolean {
  return (
    (interval === undefined || i === undefined || i === interval) &&
    (ofDex === undefined || ofDex === (dex ?? ''))
  )
}
