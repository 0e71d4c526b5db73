/** How much of what sockets were sent lies there unread. */

/** Counts what all sockets of a transport keep: each of them is bounded, and all together. */
export class UnreadFrames {
  private readonly counts = new Set<{ bytes: number; frames: readonly string[] }>()

  /** @param oneMax @param allMax bytes, of one socket and of all */
  constructor(
    private readonly oneMax: number,
    private readonly allMax: number,
  ) {}

  /** The frames of one socket, which its reader takes out. */
  ofSocket(frames: readonly string[]): SocketCount {
    const own = { bytes: 0, frames }
    this.counts.add(own)
    return {
      add: (bytes) => {
        own.bytes += bytes
        // What was read is looked for only when it matters.
        if (own.bytes > this.oneMax) own.bytes = bytesOf(frames) + bytes
        if (own.bytes > this.oneMax)
          return `frames of more than ${this.oneMax} bytes are sent at once`
        if (this.total <= this.allMax) return null
        for (const count of this.counts) count.bytes = bytesOf(count.frames)
        own.bytes += bytes
        if (this.total <= this.allMax) return null
        return `frames of more than ${this.allMax} bytes are sent at once on all sockets`
      },
      end: () => void this.counts.delete(own),
    }
  }

  private get total(): number {
    let bytes = 0
    for (const count of this.counts) bytes += count.bytes
    return bytes
  }
}

export interface SocketCount {
  /** A frame of so many is about to be kept; why it cannot be. */
  add(bytes: number): string | null
  /** Nothing comes of it any more. */
  end(): void
}

const bytesOf = (frames: readonly string[]): number =>
  frames.reduce((sum, { length }) => sum + length, 0)
