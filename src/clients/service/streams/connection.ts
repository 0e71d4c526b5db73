/** A connection and the streams on it. */
import type { SystemClock } from '../../../clock/system-clock.ts'
import { ClientError, ConnectionError } from '../errors.ts'
import { type Loss, ReconnectingSocket, type UpgradeRefusal } from './reconnecting-socket.ts'
import type { Stream } from './stream.ts'
import {
  AddressProtocol,
  type Frame,
  type ProtocolSettings,
  type SubscribeProtocol,
  Unacknowledged,
} from './subscribe-protocol.ts'
import type { ChannelCall } from './subscription.ts'

export interface ConnectionSettings {
  /** Full address of a socket path, signed now. */
  urlOf: (path: string, dex: string) => Promise<string>
  /** The reason of a refused connection, requested by HTTP. */
  refusalOf: (path: string, dex: string) => Promise<UpgradeRefusal | null>
  socketClass: () => new (url: string) => WebSocket
  systemClock: SystemClock
  random: () => number
  connectMs: number
  acknowledgeMs: number
  onError: (error: ConnectionError) => void
}

/** `ready` rejects after so many attempts, though they continue. */
const ATTEMPTS_REPORTED = 6

/** Longest pause between two renewals of a silent connection, ms. */
const RENEWAL_MAX_MS = 600_000
const RENEWAL_START_MS = 30_000

export class Connection {
  readonly streams = new Set<Stream>()
  private readonly routes = new PushRoutes()
  private readonly socket: ReconnectingSocket
  private readonly protocol: SubscribeProtocol
  private renewedMs: number | null = null
  private renewalPauseMs = RENEWAL_START_MS

  /**
   * @param channel any of those on its path
   * @param onEnd called when it is given up for good
   */
  constructor(
    private readonly channel: ChannelCall,
    readonly dex: string,
    private readonly settings: ConnectionSettings,
    private readonly onEnd: () => void,
  ) {
    const { urlOf, refusalOf, socketClass, systemClock } = settings
    const { acknowledgeMs, connectMs, random } = settings
    const { path, isOfficial } = channel
    const protocol: ProtocolSettings = {
      systemClock,
      acknowledgeMs,
      send: (frame) => this.socket.send(frame),
      onUnacknowledged: (stream, error, reason) => stream.refused(error, reason, false),
      onRefused: (stream, error, reason) => this.refused(stream, error, reason),
      onError: (reason) => settings.onError(new ConnectionError(path, reason)),
    }
    this.protocol = isOfficial
      ? new OfficialProtocol(protocol)
      : new AddressProtocol(protocol, (count) => this.discarded(count))
    this.socket = new ReconnectingSocket({
      socketClass,
      systemClock,
      random,
      connectMs,
      url: () => urlOf(path, dex),
      refusal: () => refusalOf(path, dex),
      heartbeat: isOfficial ? ['{"method":"ping"}'] : ['{"type":"ping"}', '{"type":"stat"}'],
      onOpen: () => this.protocol.subscribe([...this.streams]),
      onMessage: (text) => this.take(text),
      onLost: (loss) => this.lost(loss),
    })
  }

  get path(): string {
    return this.channel.path
  }

  add(stream: Stream): void {
    this.streams.add(stream)
    this.routes.add(stream)
    if (this.socket.isOpen) this.protocol.subscribe([stream])
  }

  remove(stream: Stream): void {
    this.forget(stream)
    this.protocol.unsubscribe(stream)
  }

  close(): void {
    this.protocol.lost()
    this.socket.close()
  }

  /** Opens another connection when all its watched streams are silent. */
  silent(forMs: number): void {
    if ([...this.streams].some((stream) => stream.isWatched && stream.state !== 'silent')) return
    for (const stream of this.streams) stream.unknown(forMs)
    const nowMs = this.settings.systemClock.monotonicMs()
    if (this.renewedMs !== null && nowMs - this.renewedMs < this.renewalPauseMs) return
    this.renewedMs = nowMs
    this.renewalPauseMs = Math.min(RENEWAL_MAX_MS, this.renewalPauseMs * 2)
    this.socket.renew()
  }

  private take(text: string): void {
    const frame = frameOf(text)
    if (frame === null) {
      if (!text.startsWith(GREETING))
        this.settings.onError(new ConnectionError(this.path, noFrame(text)))
      return
    }
    const kind = String(frame.channel ?? frame.type)
    if (this.protocol.take(kind, frame)) return
    const { data, stale } = frame
    const { id, isOfficial } = this.channel
    for (const stream of this.routes.of(isOfficial ? kind : id, isOfficial, data))
      stream.receive(data, stale === true || Object(data).stale === true)
  }

  private refused(stream: Stream, error: ClientError, reason: string): void {
    this.forget(stream)
    stream.refused(error, reason, true)
    if (this.streams.size === 0) this.end()
  }

  private discarded(count: number): void {
    for (const stream of this.streams) stream.missed(`the service has discarded ${count} pushes`)
  }

  private lost({ code, waitMs, attempts, error }: Loss): void {
    this.protocol.lost()
    const then = waitMs === null ? 'given up' : `tried again in ${Math.round(waitMs)} ms`
    const why = error === null ? `closed with ${code}` : `refused: ${withoutName(error)}`
    const reported = new ConnectionError(
      this.path,
      `${why}, ${then}`,
      error ? { cause: error } : {},
    )
    for (const stream of [...this.streams]) {
      stream.lost(code, waitMs)
      if (waitMs === null) stream.refused(reported, withoutName(error ?? reported), true)
      else if (attempts >= ATTEMPTS_REPORTED) stream.failed(reported)
    }
    if (waitMs === null) this.end()
    this.settings.onError(reported)
  }

  private end(): void {
    this.close()
    this.onEnd()
  }

  private forget(stream: Stream): void {
    this.streams.delete(stream)
    this.routes.remove(stream)
  }
}

/** The first message of some services, which is no frame. */
const GREETING = 'Websocket'

const noFrame = (text: string) => `a frame is not JSON: ${text.slice(0, 80)}`

const withoutName = ({ message, what }: ClientError) => message.slice(what.length + 2)

function frameOf(text: string): Frame | null {
  try {
    const frame = JSON.parse(text)
    return typeof frame === 'object' && frame !== null ? frame : null
  } catch {
    return null
  }
}

/** Finds the streams of a push. */
class PushRoutes {
  /** By the channel and the subject of a push: a coin, a user, an address. */
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

/** Candles have their interval, states their dex. */
function isFor({ fields: { interval, dex } }: Stream, { i, dex: ofDex }: Frame): boolean {
  return (
    (interval === undefined || i === undefined || i === interval) &&
    (ofDex === undefined || ofDex === (dex ?? ''))
  )
}

/** `/hl/ws`: each subscription has a frame of its own, and is acknowledged by its name. */
class OfficialProtocol implements SubscribeProtocol {
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

  /** By the subscription in its text; an error without one concerns no stream. */
  private takeError(reason: string): void {
    const stream = this.named(subscriptionIn(reason))
    if (stream && reason.startsWith('Already subscribed')) return this.acknowledge(stream)
    if (stream) return this.refuse(stream, reason)
    // Permissions are those of the whole connection.
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

/** All requested fields are repeated; the service has filled in the others. */
const isNamed = (requested: Frame, named: Frame) =>
  Object.entries(requested).every(([name, value]) => isSame(value, named[name]))

const isSame = (one: unknown, other: unknown) =>
  (one ?? null) === (other ?? null) || String(one).toLowerCase() === String(other).toLowerCase()

/** The subscription, or its whole frame, that a text repeats. */
function subscriptionIn(text: string): unknown {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  try {
    const { subscription, ...rest } = JSON.parse(json)
    return subscription ?? rest
  } catch {
    return undefined
  }
}
