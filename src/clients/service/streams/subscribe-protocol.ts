/** The interface of subscription protocols: requests and acknowledgements. */
import type { SystemClock } from '../../../clock/system-clock.ts'
import { ClientError } from '../errors.ts'
import type { Stream } from './stream.ts'

/** A frame of the service. */
export type Frame = Readonly<Record<string, unknown>>

export interface ProtocolSettings {
  send: (frame: object) => void
  systemClock: SystemClock
  acknowledgeMs: number
  /** It was not acknowledged; it may be followed all the same. */
  onUnacknowledged: (stream: Stream, error: ClientError, reason: string) => void
  /** It is refused. */
  onRefused: (stream: Stream, error: ClientError, reason: string) => void
  /** An error that names no subscription. */
  onError: (reason: string) => void
}

export interface SubscribeProtocol {
  subscribe(streams: readonly Stream[]): void
  unsubscribe(stream: Stream): void
  /** Handles a reply or an error. Whether it was one. */
  take(kind: string, frame: Frame): boolean
  /** The connection is lost. */
  lost(): void
}

/** Requested and unacknowledged streams; each is requested once more before it is reported. */
export class Unacknowledged {
  private readonly timers = new Map<Stream, () => void>()
  /** The last error that named no subscription. */
  lastError: string | null = null

  constructor(
    private readonly settings: ProtocolSettings,
    private readonly ask: (stream: Stream) => void,
  ) {}

  get streams(): Iterable<Stream> {
    return this.timers.keys()
  }

  add(stream: Stream, tries = 1): void {
    this.remove(stream)
    const { systemClock, acknowledgeMs } = this.settings
    this.timers.set(
      stream,
      systemClock.startTimer(acknowledgeMs, () => this.overdue(stream, tries)),
    )
  }

  remove(stream: Stream): void {
    this.timers.get(stream)?.()
    this.timers.delete(stream)
  }

  clear(): void {
    for (const cancel of this.timers.values()) cancel()
    this.timers.clear()
    this.lastError = null
  }

  private overdue(stream: Stream, tries: number): void {
    this.timers.delete(stream)
    // A push shows that it is followed without an acknowledgement.
    if (!stream.isPending) return
    if (tries === 1) {
      this.add(stream, 2)
      return this.ask(stream)
    }
    const detail = this.lastError === null ? '' : `; the service said: ${this.lastError}`
    const waitedS = (2 * this.settings.acknowledgeMs) / 1000
    const reason = `not acknowledged within ${waitedS} s${detail}`
    this.settings.onUnacknowledged(stream, new ClientError(stream.channel.id, reason), reason)
  }
}

/**
 * The protocol of user channels: lists of addresses, acknowledged without a name, so one list at a
 * time.
 */
export class AddressProtocol implements SubscribeProtocol {
  private readonly waiting = new Set<Stream>()
  private inFlight: readonly Stream[] = []
  private readonly unacknowledged: Unacknowledged
  private discarded = 0

  /** @param onDiscarded called with the number of further pushes that the service has discarded */
  constructor(
    private readonly settings: ProtocolSettings,
    private readonly onDiscarded: (count: number) => void,
  ) {
    const release = {
      ...settings,
      onUnacknowledged: this.releasing(settings.onUnacknowledged),
    }
    this.unacknowledged = new Unacknowledged(release, (stream) => this.ask('subscribe', [stream]))
  }

  subscribe(streams: readonly Stream[]): void {
    for (const stream of streams) this.waiting.add(stream)
    this.next()
  }

  unsubscribe(stream: Stream): void {
    this.waiting.delete(stream)
    this.unacknowledged.remove(stream)
    this.inFlight = this.inFlight.filter((one) => one !== stream)
    this.ask('unsubscribe', [stream])
  }

  take(kind: string, { data }: Frame): boolean {
    if (kind === 'subscribe') this.acknowledged()
    else if (kind === 'error') this.takeError(String(data))
    else if (kind === 'stat') this.takeStat(Object(data))
    else return kind === 'pong' || kind === 'unsubscribe'
    return true
  }

  lost(): void {
    this.unacknowledged.clear()
    this.waiting.clear()
    this.inFlight = []
    this.discarded = 0
  }

  private next(): void {
    if (this.inFlight.length > 0 || this.waiting.size === 0) return
    this.inFlight = [...this.waiting]
    this.waiting.clear()
    for (const stream of this.inFlight) this.unacknowledged.add(stream)
    this.ask('subscribe', this.inFlight)
  }

  private ask(type: string, streams: readonly Stream[]): void {
    this.settings.send({ type, address: streams.map(({ fields }) => fields.address) })
  }

  private acknowledged(): void {
    const { inFlight } = this
    this.inFlight = []
    for (const stream of inFlight) {
      this.unacknowledged.remove(stream)
      stream.acknowledged()
    }
    this.next()
  }

  /** By the address in its text; without one it concerns all pending addresses, or none. */
  private takeError(reason: string): void {
    const [address] = /0x[0-9a-f]{40}/i.exec(reason) ?? []
    const isOfAll = reason.startsWith('Permission denied')
    const refused = this.inFlight.filter(
      ({ fields }) => isOfAll || String(fields.address) === address?.toLowerCase(),
    )
    if (refused.length === 0) {
      this.unacknowledged.lastError = reason
      return this.settings.onError(reason)
    }
    const refuse = this.releasing(this.settings.onRefused)
    for (const stream of refused) {
      this.unacknowledged.remove(stream)
      refuse(stream, new ClientError(stream.channel.id, reason), reason)
    }
  }

  private takeStat({ discardedCount }: Frame): void {
    const more = Number(discardedCount) - this.discarded
    if (!(more > 0)) return
    this.discarded += more
    this.onDiscarded(more)
  }

  /** A refused address does not keep others waiting. */
  private releasing(onRefused: ProtocolSettings['onRefused']): ProtocolSettings['onRefused'] {
    return (stream, error, reason) => {
      this.inFlight = this.inFlight.filter((one) => one !== stream)
      onRefused(stream, error, reason)
      this.next()
    }
  }
}
