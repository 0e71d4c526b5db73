/**
 * Frames on their way to one client. They wait here while the client is slow, and are dropped, and
 * counted, when too many wait.
 */
import type { FrameCounts } from '../metrics/server-metrics.ts'
import type { SocketConnection } from './socket-connection.ts'

/** Above this a client counts as slow, and frames wait. */
export const BACK_PRESSURE_BYTES = 1 << 20

/** Frames that may wait at most. */
export const QUEUE_MAX = 20_000

export class SendQueue {
  private queue: string[] = []
  sentCount = 0
  discardedCount = 0

  /**
   * @param counts those of all connections, beside this one's own
   * @param onSent called with the frames that are handed over
   */
  constructor(
    private readonly connection: SocketConnection,
    private readonly counts: FrameCounts,
    private readonly onSent: (frames: readonly string[]) => void = () => {},
  ) {}

  get length(): number {
    return this.queue.length
  }

  /** Whether the client keeps up. */
  get isReady(): boolean {
    return this.queue.length < QUEUE_MAX / 2 && this.connection.pendingBytes() < BACK_PRESSURE_BYTES
  }

  enqueue(frame: string): void {
    if (this.queue.length >= QUEUE_MAX && !this.isReady) {
      this.discardedCount++
      this.counts.discarded++
    } else this.queue.push(frame)
  }

  /** Hands over what waits, unless the client is slow. */
  flush(): void {
    if (this.queue.length === 0 || this.connection.pendingBytes() >= BACK_PRESSURE_BYTES) return
    const frames = this.queue
    this.queue = []
    this.sentCount += frames.length
    this.counts.sent += frames.length
    this.connection.send(frames)
    this.onSent(frames)
  }
}
