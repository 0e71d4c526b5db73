import type { Channel } from '../../contract/channel.ts'
import type { Stream } from './stream.ts'

/** The streams of a connection by their keys, counted by channel. */
export class FollowedStreams extends Map<string, Stream> {
  private readonly countByChannel = new Map<Channel, number>()

  /** How many are of a channel. */
  countOf(channel: Channel): number {
    return this.countByChannel.get(channel) ?? 0
  }

  override set(key: string, stream: Stream): this {
    this.delete(key)
    this.countByChannel.set(stream.channel, this.countOf(stream.channel) + 1)
    return super.set(key, stream)
  }

  override delete(key: string): boolean {
    const stream = this.get(key)
    if (stream) this.countByChannel.set(stream.channel, this.countOf(stream.channel) - 1)
    return super.delete(key)
  }
}
