import type { Channel } from '../contract/channel.ts'
import { PushStream, type StreamHost } from './push-stream.ts'
import { RecordedStream } from './recorded-stream.ts'
import { upstreamOf } from './recorded-subscriptions.ts'
import type { Stream } from './stream.ts'
import { UpstreamStream } from './upstream-stream.ts'

/** The stream of a subscription: of a recording, of the service behind it, or of the world. */
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
  const upstream = upstreamOf(sandbox)
  if (upstream) return new UpstreamStream(host, upstream, channel, subscription)
  const topics = channel.topics(subscription as never, sandbox.facts())
  return new PushStream(host, id, channel, subscription, topics)
}
