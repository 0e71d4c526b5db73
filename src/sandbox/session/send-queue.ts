/**
 * The send queue of one client. Frames wait here while the client is slow, and are dropped and
 * counted when they are too many.
 */
import type { SandboxMemory } from '../memory.ts'
import type { FrameCounts } from '../metrics/server-metrics.ts'
import type { FrameDigest } from '../output-digest.ts'

/** The bounds of one client's queue. */
export interface QueueBounds {
  /** Unacknowledged bytes above which nothing more is sent. */
  pendingBytes: number
  /** Maximum number of waiting frames: further ones are dropped. */
  frames: number
  /** UTF-16 units of the waiting frames: further ones are dropped. */
  length: number
}

/** For one client, however few there are, and for all clients of a sandbox. */
const ONE_CLIENT: QueueBounds = { pendingBytes: 1 << 20, frames: 20_000, length: 32 << 20 }
const ALL_CLIENTS: QueueBounds = {
  pendingBytes: 256 << 20,
  frames: 20_000_000,
  length: 256 << 20,
}
const LEAST: QueueBounds = { pendingBytes: 64 << 10, frames: 1_000, length: 1 << 20 }

/** Sets the bounds of each of so many clients, which share the total. */
export function setQueueBounds(bounds: QueueBounds, clients: number): void {
  for (const bound of ['pendingBytes', 'frames', 'length'] as const) {
    const share = Math.floor(ALL_CLIENTS[bound] / clients)
    bounds[bound] = Math.min(ONE_CLIENT[bound], Math.max(LEAST[bound], share))
  }
}

/** Length sent between two checks whether the client takes it. */
const PIECE_LENGTH = 256 << 10

export class SendQueue {
  private queue: string[] = []
  /** UTF-16 units of the waiting frames. */
  private waitingLength = 0
  sentCount = 0
  discardedCount = 0

  /**
   * @param counts of all connections, besides this one's own
   * @param onSent called with the sent frames
   */
  constructor(
    private readonly connection: SocketConnection,
    private readonly bounds: Readonly<QueueBounds>,
    private readonly counts: FrameCounts,
    private readonly onSent: (frames: readonly string[]) => void = () => {},
    /** Maximum number of waiting frames while a fault stalls the client; null without one. */
    private readonly stalledFrames: () => number | null = () => null,
    /** Digest of all queued frames. */
    readonly digest: FrameDigest | null = null,
    /** Waiting frames are charged to it. */
    private readonly memory: SandboxMemory | null = null,
  ) {}

  get length(): number {
    return this.queue.length
  }

  /** The waiting frames. */
  get waiting(): readonly string[] {
    return this.queue
  }

  get pendingBytes(): number {
    return this.connection.pendingBytes()
  }

  /** Whether a fault stalls the client. */
  get isStalled(): boolean {
    return this.stalledFrames() !== null
  }

  /** Whether the client has to take frames first. */
  get isBlocked(): boolean {
    return this.connection.pendingBytes() >= this.bounds.pendingBytes
  }

  enqueue(frame: string): void {
    if (!this.hasRoomFor(frame.length)) {
      this.discard(1)
      return
    }
    this.queue.push(frame)
    this.charge(frame.length)
    this.digest?.add(frame)
  }

  /** Counts frames that were dropped before they were queued. */
  discard(count: number): void {
    this.discardedCount += count
    this.counts.discarded += count
  }

  /** Whether a frame of that length would be queued. */
  hasRoomFor(length: number): boolean {
    if (this.queue.length >= (this.stalledFrames() ?? this.bounds.frames)) return false
    const isWithin = this.queue.length === 0 || this.waitingLength + length <= this.bounds.length
    return isWithin && (this.memory?.hasRoomFor(length) ?? true)
  }

  private charge(length: number): void {
    this.waitingLength += length
    this.memory?.add('queues', length)
  }

  /** Drops the waiting frames of a closed connection. */
  clear(): void {
    this.charge(-this.waitingLength)
    this.queue = []
  }

  /** Sends the waiting frames as far as the client takes them; whether it sent any. */
  flush(): boolean {
    const before = this.sentCount
    while (this.queue.length > 0 && !this.isBlocked && !this.isStalled) {
      const frames = this.nextFrames()
      this.connection.send(frames)
      this.noteSent(frames)
    }
    return this.sentCount > before
  }

  /** Sends a frame before the waiting ones. */
  sendAhead(frame: string): void {
    this.digest?.add(frame)
    this.connection.send([frame])
    this.sentCount++
    this.counts.sent++
    this.onSent([frame])
  }

  /** The waiting frames, or one piece of them, were sent. */
  noteSent(frames: readonly string[] = this.queue): void {
    const areAll = frames.length === this.queue.length
    this.charge(-(areAll ? this.waitingLength : lengthOf(frames)))
    this.queue = areAll ? [] : this.queue.slice(frames.length)
    this.sentCount += frames.length
    this.counts.sent += frames.length
    this.onSent(frames)
  }

  private nextFrames(): readonly string[] {
    let length = 0
    let count = 0
    while (count < this.queue.length && length < PIECE_LENGTH)
      length += this.queue[count++]?.length ?? 0
    return count === this.queue.length ? this.queue : this.queue.slice(0, count)
  }
}

const lengthOf = (frames: readonly string[]) => frames.reduce((sum, { length }) => sum + length, 0)

/** The carrier of a session's frames. */
export interface SocketConnection {
  /** Sends frames in order, in as few writes as possible. */
  send(frames: readonly string[]): void
  /** Bytes that the other side has not taken yet. */
  pendingBytes(): number
  /** Closes with a code that the client sees. */
  close(code: number, reason: string): void
  /** Drops the connection; the client sees 1006. */
  terminate(): void
  /** A new group of connections, where the carrier can send to many at once. */
  openGroup?(): SocketGroup
}

/** Connections with the same frames, sent in order with the other frames of each. */
export interface SocketGroup {
  /** Adds a connection; whether it can be a member. */
  add(connection: SocketConnection): boolean
  remove(connection: SocketConnection): void
  send(frames: readonly string[]): void
}

/** A connection to be closed, with the close event of its client. */
export interface Closing {
  connection: SocketConnection
  /** 1006 drops it. */
  code: number
  reason: string
}

/** Closes it now. */
export function closeConnection({ connection, code, reason }: Closing): void {
  if (code === 1006) connection.terminate()
  else connection.close(code, reason)
}
