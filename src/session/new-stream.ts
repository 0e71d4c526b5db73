import type { Channel } from '../contract/channel.ts'
import { PushStream, type StreamHost } from './push-stream.ts'
import { RecordedStream } from './recorded-stream.ts'
import type { Stream } from './stream.ts'

/** The stream of a subscription: that of a recording that is served back, or the world's. */
export function newStream(
  host: StreamHost,
  id: string,
  channel: Channel,
  subscription: Record<string, unknown>,
): Stream {
  const { sandbox } = host
  const { recording } = sandbox.world
  const recorded = recording?.stream(id)
  if (recording && recorded)
    return new RecordedStream(recording, id, recorded, subscription, sandbox.clock.nowMs())
  const topics = channel.topics(subscription as never, sandbox.facts())
  return new PushStream(host, id, channel, subscription, topics)
}
