const MAGIC = 0xfd2fb528
/** Magic numbers of skippable frames. */
const [SKIPPABLE, SKIPPABLE_MASK] = [0x184d2a50, 0xfffffff0]
const CONTENT_SIZE_BYTES = [0, 2, 4, 8]
const DICTIONARY_BYTES = [0, 1, 2, 4]
const CHECKSUM_BYTES = 4
/** A block with one repeated byte. */
const REPEATED = 1

/**
 * Passes the bytes through and tracks the frames: an `Error` where they end within one, which the
 * engine's decompressor does not detect.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8878
 */
export async function* wholeZstdFrames(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  const frames = new ZstdFrames()
  for await (const chunk of chunks) {
    frames.follow(chunk)
    yield chunk
  }
  if (!frames.isBetween) throw new Error('it ends within a zstd frame')
}

class ZstdFrames {
  /** Next item when nothing is being skipped. */
  private next: 'frame' | 'block' = 'frame'
  /** Its first bytes, while they are too few. */
  private head: number[] = []
  /** Bytes left to skip. */
  private left = 0
  private hasChecksum = false

  /** Whether the last frame has ended. */
  get isBetween(): boolean {
    return this.next === 'frame' && this.head.length === 0 && this.left === 0
  }

  follow(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      const passed = Math.min(this.left, chunk.length - at)
      this.left -= passed
      at += passed
      if (at === chunk.length) return
      this.head.push(chunk[at++] ?? 0)
      const left = this.next === 'frame' ? this.frame() : this.block()
      if (left === null) continue
      this.left = left
      this.head = []
    }
  }

  /** Length from the head of a frame to its first block; null while it is incomplete. */
  private frame(): number | null {
    const head = Buffer.from(this.head)
    if (head.length < 5) return null
    const magic = head.readUInt32LE(0)
    if ((magic & SKIPPABLE_MASK) >>> 0 === SKIPPABLE)
      return head.length < 8 ? null : head.readUInt32LE(4)
    if (magic !== MAGIC) throw new Error('something else follows a zstd frame')
    const descriptor = head[4] ?? 0
    const isSingle = (descriptor & 0x20) !== 0
    this.hasChecksum = (descriptor & 4) !== 0
    this.next = 'block'
    const sizeBytes = CONTENT_SIZE_BYTES[descriptor >> 6] || (isSingle ? 1 : 0)
    return (isSingle ? 0 : 1) + (DICTIONARY_BYTES[descriptor & 3] ?? 0) + sizeBytes
  }

  /** The same for a block, up to the next item. */
  private block(): number | null {
    if (this.head.length < 3) return null
    const head = Buffer.from(this.head).readUIntLE(0, 3)
    const bytes = ((head >> 1) & 3) === REPEATED ? 1 : head >> 3
    if ((head & 1) === 0) return bytes
    this.next = 'frame'
    return bytes + (this.hasChecksum ? CHECKSUM_BYTES : 0)
  }
}
