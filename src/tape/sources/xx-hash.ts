const [P1, P2, P3, P4, P5] = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1]

/**
 * XXH32 (seed 0) of bytes that come in pieces: the checksum of lz4 frames.
 *
 * @see https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
 */
export class XxHash32 {
  private readonly lanes = new Int32Array([P1 + P2, P2, 0, -P1])
  private readonly held = Buffer.alloc(16)
  private heldBytes = 0
  private total = 0

  update(bytes: Buffer): void {
    this.total += bytes.length
    let at = 0
    if (this.heldBytes > 0) {
      at = Math.min(16 - this.heldBytes, bytes.length)
      bytes.copy(this.held, this.heldBytes, 0, at)
      this.heldBytes += at
      if (this.heldBytes < 16) return
      this.stripes(this.held, 0, 16)
      this.heldBytes = 0
    }
    const end = at + ((bytes.length - at) & ~15)
    this.stripes(bytes, at, end)
    bytes.copy(this.held, 0, end)
    this.heldBytes = bytes.length - end
  }

  /** Of all that has come, 0 to 2^32 - 1. */
  digest(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.lanes
    let hash =
      this.total < 16 ? P5 : rotated(a, 1) + rotated(b, 7) + rotated(c, 12) + rotated(d, 18)
    hash = (hash + this.total) | 0
    let at = 0
    for (; at + 4 <= this.heldBytes; at += 4) {
      hash = (hash + Math.imul(this.held.readInt32LE(at), P3)) | 0
      hash = Math.imul(rotated(hash, 17), P4)
    }
    for (; at < this.heldBytes; at++) {
      hash = (hash + Math.imul(this.held[at] ?? 0, P5)) | 0
      hash = Math.imul(rotated(hash, 11), P1)
    }
    hash = Math.imul(hash ^ (hash >>> 15), P2)
    hash = Math.imul(hash ^ (hash >>> 13), P3)
    return (hash ^ (hash >>> 16)) >>> 0
  }

  private stripes(bytes: Buffer, from: number, to: number): void {
    let [a = 0, b = 0, c = 0, d = 0] = this.lanes
    for (let at = from; at < to; at += 16) {
      a = lane(a, bytes.readInt32LE(at))
      b = lane(b, bytes.readInt32LE(at + 4))
      c = lane(c, bytes.readInt32LE(at + 8))
      d = lane(d, bytes.readInt32LE(at + 12))
    }
    this.lanes.set([a, b, c, d])
  }
}

/** XXH32 of bytes at once. */
export function xxHash32(bytes: Buffer): number {
  const hash = new XxHash32()
  hash.update(bytes)
  return hash.digest()
}

const rotated = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits))
const lane = (sum: number, word: number) =>
  Math.imul(rotated((sum + Math.imul(word, P2)) | 0, 13), P1)
