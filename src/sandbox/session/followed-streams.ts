import type { Channel } from '../../contract/channel.ts'
import type { Stream } from './stream.ts'

/** The streams of a connection by their id, counted by channel. */
export class FollowedStreams extends Map<string, Stream> {
  private readonly countByChannel = new Map<Channel, number>()

  /** How many are of a channel. */
  countOf(channel: Channel): number {
    return this.countByChannel.get(channel) ?? 0
  }

  override set(id: string, stream: Stream): this {
    this.delete(id)
    this.countByChannel.set(stream.channel, this.countOf(stream.channel) + 1)
    return super.set(id, stream)
  }

  override delete(id: string): boolean {
    const stream = this.get(id)
    if (stream) this.countByChannel.set(stream.channel, this.countOf(stream.channel) - 1)
    return super.delete(id)
  }
}
