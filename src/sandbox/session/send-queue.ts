/**
 * Frames on their way to one client. They wait here while the client is slow, and are dropped, and
 * counted, when too many wait.
 */
import type { SandboxMemory } from '../memory.ts'
import type { FrameCounts } from '../metrics/server-metrics.ts'
import type { FrameDigest } from '../said-digest.ts'

/** What may wait for one client. */
export interface QueueBounds {
  /** Bytes that it has been sent and has not taken: above this it is sent nothing. */
  pendingBytes: number
  /** Frames that wait here: further ones are dropped. */
  frames: number
  /** UTF-16 units of them: further ones are dropped. */
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

/** The bounds of each of so many clients, who share what there is. */
export function setQueueBounds(bounds: QueueBounds, clients: number): void {
  for (const bound of ['pendingBytes', 'frames', 'length'] as const) {
    const share = Math.floor(ALL_CLIENTS[bound] / clients)
    bounds[bound] = Math.min(ONE_CLIENT[bound], Math.max(LEAST[bound], share))
  }
}

/** Characters that are sent before it is looked at whether the client takes them. */
const PIECE_LENGTH = 256 << 10

export class SendQueue {
  private queue: string[] = []
  /** UTF-16 units of what waits. */
  private waitingLength = 0
  sentCount = 0
  discardedCount = 0

  /**
   * @param counts those of all connections, beside this one's own
   * @param onSent called with the frames that are handed over
   */
  constructor(
    private readonly connection: SocketConnection,
    private readonly bounds: Readonly<QueueBounds>,
    private readonly counts: FrameCounts,
    private readonly onSent: (frames: readonly string[]) => void = () => {},
    /** How many frames may wait while its client seems not to read; null while it reads. */
    private readonly stalledFrames: () => number | null = () => null,
    /** All that is queued for it. */
    readonly said: FrameDigest | null = null,
    /** What waits is charged to it. */
    private readonly memory: SandboxMemory | null = null,
  ) {}

  get length(): number {
    return this.queue.length
  }

  /** The frames that wait. */
  get waiting(): readonly string[] {
    return this.queue
  }

  get pendingBytes(): number {
    return this.connection.pendingBytes()
  }

  /** Whether a scenario keeps its frames here: its client is as it was. */
  get isStalled(): boolean {
    return this.stalledFrames() !== null
  }

  /** Whether the client has to take something first. */
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
    this.said?.add(frame)
  }

  /** Counts frames that were dropped before they came here. */
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

  /** Its client has gone: what waits is given up. */
  clear(): void {
    this.charge(-this.waitingLength)
    this.queue = []
  }

  /** Hands over what waits, as far as the client takes it; whether there was something. */
  flush(): boolean {
    const before = this.sentCount
    while (this.queue.length > 0 && !this.isBlocked && !this.isStalled) {
      const frames = this.nextFrames()
      this.connection.send(frames)
      this.noteSent(frames)
    }
    return this.sentCount > before
  }

  /** Sends a frame before those that wait. */
  sendAhead(frame: string): void {
    this.said?.add(frame)
    this.connection.send([frame])
    this.sentCount++
    this.counts.sent++
    this.onSent([frame])
  }

  /** What waits, or as much of it as is sent in one piece, has been sent. */
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

/** What a session needs of whatever carries its frames. */
export interface SocketConnection {
  /** Sends frames in order, in as few writes as possible. */
  send(frames: readonly string[]): void
  /** Bytes that the other side has not taken yet. */
  pendingBytes(): number
  /** Closes with a code that the client sees. */
  close(code: number, reason: string): void
  /** Drops the connection; the client sees 1006. */
  terminate(): void
  /** A new group of connections, where there is a way to send the same to many at once. */
  openGroup?(): SocketGroup
}

/** Connections that are sent the same, in order with what each is sent besides. */
export interface SocketGroup {
  /** Whether it can be one of them. */
  add(connection: SocketConnection): boolean
  remove(connection: SocketConnection): void
  send(frames: readonly string[]): void
}

/** A connection that nothing is sent on any more, and what its client is to see. */
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
