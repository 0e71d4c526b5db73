/** How subscriptions are asked for and acknowledged on a connection. */
import type { SystemClock } from '../../../clock/system-clock.ts'
import { ClientError } from '../errors.ts'
import type { Stream } from './stream.ts'

/** A frame of the service. */
export type Frame = Readonly<Record<string, unknown>>

export interface ProtocolSettings {
  send: (frame: object) => void
  systemClock: SystemClock
  acknowledgeMs: number
  /** Nobody has said that it is followed; it may be all the same. */
  onUnacknowledged: (stream: Stream, error: ClientError, reason: string) => void
  /** It is not followed. */
  onRefused: (stream: Stream, error: ClientError, reason: string) => void
  /** An error that names no subscription. */
  onError: (reason: string) => void
}

export interface SubscribeProtocol {
  subscribe(streams: readonly Stream[]): void
  unsubscribe(stream: Stream): void
  /** Takes a reply or an error. Whether it was one. */
  take(kind: string, frame: Frame): boolean
  /** The connection is gone. */
  lost(): void
}

/** What was asked for and is not acknowledged yet; each is asked for once more before it counts. */
export class Unacknowledged {
  private readonly timers = new Map<Stream, () => void>()
  /** What the service has said that named nothing. */
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
    // A push has come: it holds, though nobody says so.
    if (!stream.isPending) return
    if (tries === 1) {
      this.add(stream, 2)
      return this.ask(stream)
    }
    const said = this.lastError === null ? '' : `; the service said: ${this.lastError}`
    const waitedS = (2 * this.settings.acknowledgeMs) / 1000
    const reason = `not acknowledged within ${waitedS} s${said}`
    this.settings.onUnacknowledged(stream, new ClientError(stream.channel.id, reason), reason)
  }
}
