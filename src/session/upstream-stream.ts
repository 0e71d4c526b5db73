import type { Channel } from '../contract/channel.ts'
import { socketPaths } from '../contract/paths.ts'
import type { Upstream } from '../replay/upstream.ts'
import type { UpstreamSubscription } from '../replay/upstream-socket.ts'
import type { StreamHost } from './push-stream.ts'
import type { Stream, Subscriber } from './stream.ts'

/** A subscription that was not recorded, and is followed at the real service as it comes. */
export class UpstreamStream implements Stream {
  readonly subscribers = new Set<Subscriber>()
  /** No event of the market concerns it. */
  readonly topics: readonly string[] = []
  lastSentMs: number
  readonly stop: () => void
  /** What whoever comes later is sent first: of a state the latest, of events the first. */
  private opening: string | null = null
  private lastText = ''

  constructor(
    private readonly host: StreamHost,
    upstream: Upstream,
    readonly channel: Channel,
    readonly subscription: Record<string, unknown>,
  ) {
    this.lastSentMs = host.sandbox.clock.nowMs()
    this.stop = upstream.follow(upstreamSubscription(channel, subscription), {
      onFrame: (text) => this.pass(text),
      onLost: (why) => this.broadcast(channel.dialect.error(`no pushes from upstream: ${why}`)),
    })
  }

  openingFrames(): readonly string[] {
    return this.opening === null ? [] : [this.opening]
  }

  /** The service goes on, wherever the playhead is. */
  beginAnew(): void {}

  /** As the service says. */
  isExpired(): boolean {
    return this.lastText.includes('"stale":true')
  }

  onEvent(): void {}

  private pass(text: string): void {
    const isState = this.channel.pushPolicy.stateOf !== undefined
    this.opening = isState ? text : (this.opening ?? text)
    this.lastText = text
    this.lastSentMs = this.host.sandbox.clock.nowMs()
    this.broadcast(text)
  }

  private broadcast(text: string): void {
    for (const subscriber of this.subscribers) subscriber.deliver(this, text)
    this.host.outgoing.flush()
  }
}

/** As the service is subscribed to, in the words of its socket. */
function upstreamSubscription(
  { id, dialect }: Channel,
  subscription: Record<string, unknown>,
): UpstreamSubscription {
  const [path = dialect.path] = socketPaths(dialect)
  if (dialect.name === 'official') {
    const command = { method: 'subscribe', subscription: { ...subscription, type: id } }
    return { target: path, command: JSON.stringify(command), ping: '{"method":"ping"}' }
  }
  const { address, dex } = subscription
  return {
    target: dex ? `${path}?dex=${encodeURIComponent(String(dex))}` : path,
    command: JSON.stringify({ type: 'subscribe', address: [address] }),
    ping: '{"type":"ping"}',
  }
}
