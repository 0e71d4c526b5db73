/** `/hl/ws`: each subscription by a frame of its own, and acknowledged by its name. */
import { ClientError } from '../errors.ts'
import type { Stream } from './stream.ts'
import {
  type Frame,
  type ProtocolSettings,
  type SubscribeProtocol,
  Unacknowledged,
} from './subscribe-protocol.ts'

export class OfficialProtocol implements SubscribeProtocol {
  private readonly held = new Set<Stream>()
  private readonly unacknowledged: Unacknowledged

  constructor(private readonly settings: ProtocolSettings) {
    this.unacknowledged = new Unacknowledged(settings, (stream) => this.ask(stream))
  }

  subscribe(streams: readonly Stream[]): void {
    for (const stream of streams) {
      this.held.add(stream)
      this.unacknowledged.add(stream)
      this.ask(stream)
    }
  }

  unsubscribe(stream: Stream): void {
    this.held.delete(stream)
    this.unacknowledged.remove(stream)
    this.settings.send({ method: 'unsubscribe', subscription: subscriptionOf(stream) })
  }

  take(kind: string, { data }: Frame): boolean {
    if (kind === 'error') this.takeError(String(data))
    else if (kind === 'subscriptionResponse') this.takeReply(Object(data))
    else return kind === 'pong'
    return true
  }

  lost(): void {
    this.unacknowledged.clear()
    this.held.clear()
  }

  private ask(stream: Stream): void {
    this.settings.send({ method: 'subscribe', subscription: subscriptionOf(stream) })
  }

  private takeReply({ method, subscription }: Frame): void {
    const stream = method === 'subscribe' && this.named(subscription)
    if (stream) this.acknowledge(stream)
  }

  /** By the subscription in its text; one that names none is not held against anybody. */
  private takeError(reason: string): void {
    const stream = this.named(subscriptionIn(reason))
    if (stream && reason.startsWith('Already subscribed')) return this.acknowledge(stream)
    if (stream) return this.refuse(stream, reason)
    // Permission is that of the whole connection.
    if (reason.startsWith('Permission denied')) {
      const pending = [...this.unacknowledged.streams]
      for (const one of pending) this.refuse(one, reason)
      if (pending.length > 0) return
    }
    this.unacknowledged.lastError = reason
    this.settings.onError(reason)
  }

  private acknowledge(stream: Stream): void {
    this.unacknowledged.remove(stream)
    stream.acknowledged()
  }

  private refuse(stream: Stream, reason: string): void {
    this.held.delete(stream)
    this.unacknowledged.remove(stream)
    this.settings.onRefused(stream, new ClientError(stream.channel.id, reason), reason)
  }

  private named(subscription: unknown): Stream | undefined {
    const named = Object(subscription) as Frame
    return [...this.held].find((stream) => isNamed(subscriptionOf(stream), named))
  }
}

const subscriptionOf = ({ channel, fields }: Stream): Frame => ({ type: channel.id, ...fields })

/** All that was asked for is repeated; what else is there was filled in by the service. */
const isNamed = (asked: Frame, named: Frame) =>
  Object.entries(asked).every(([name, value]) => isSame(value, named[name]))

const isSame = (one: unknown, other: unknown) =>
  (one ?? null) === (other ?? null) || String(one).toLowerCase() === String(other).toLowerCase()

/** The subscription, or the whole frame of it, that a text repeats. */
function subscriptionIn(text: string): unknown {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  try {
    const { subscription, ...rest } = JSON.parse(json)
    return subscription ?? rest
  } catch {
    return undefined
  }
}
