/**
 * Frames on their way to one client. They wait here while the client is slow, and are dropped, and
 * counted, when too many wait.
 */
import type { Wire } from './wire.ts'

/** Above this a client counts as slow, and frames wait. */
export const SLOW_BYTES = 1 << 20

/** Frames that may wait at most. */
export const WAITING_MOST = 20_000

export class Outbox {
  private waiting: string[] = []
  sentCount = 0
  discardedCount = 0

  /** @param told hears of the frames that are handed over */
  constructor(
    private readonly wire: Wire,
    private readonly told: (frames: readonly string[]) => void = () => {},
  ) {}

  get length(): number {
    return this.waiting.length
  }

  /** Whether the client keeps up. */
  get ready(): boolean {
    return this.waiting.length < WAITING_MOST / 2 && this.wire.pendingBytes() < SLOW_BYTES
  }

  put(frame: string): void {
    if (this.waiting.length >= WAITING_MOST && !this.ready) this.discardedCount++
    else this.waiting.push(frame)
  }

  /** Hands over what waits, unless the client is slow. */
  flush(): void {
    if (this.waiting.length === 0 || this.wire.pendingBytes() >= SLOW_BYTES) return
    const frames = this.waiting
    this.waiting = []
    this.sentCount += frames.length
    this.wire.send(frames)
    this.told(frames)
  }
}
