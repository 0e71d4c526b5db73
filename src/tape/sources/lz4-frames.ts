export const LZ4_MAGIC = 0x184d2204
const LEGACY_MAGIC = 0x184c2102
/** Sixteen magic numbers begin skippable frames. */
const isSkippable = (magic: number) => (magic & 0xfffffff0) >>> 0 === 0x184d2a50

/** Maximum distance of a match. */
const WINDOW = 64 * 1024

/**
 * Decompresses consecutive lz4 frames; checksums are checked where frames have them.
 *
 * Memory is two blocks (4 MiB at most each). Existing packages decompress whole files in memory or
 * are compiled per platform, so this is our own.
 *
 * @see https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md
 */
export async function* lz4Frames(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  const input = new ByteQueue(chunks[Symbol.asyncIterator]())
  for (;;) {
    const start = await input.takeOrEnd(4)
    if (start === null) return
    const magic = start.readUInt32LE(0)
    if (isSkippable(magic)) await input.skip((await input.take(4)).readUInt32LE(0))
    else if (magic === LZ4_MAGIC) yield* frame(input)
    else
      throw new Lz4Flaw(
        magic === LEGACY_MAGIC
          ? 'it is of the legacy lz4 form: unpack it with lz4 first'
          : 'something else follows an lz4 frame',
      )
  }
}

async function* frame(input: ByteQueue): AsyncGenerator<Buffer, void, undefined> {
  const { linked, blockMax, blockChecksums, contentChecksum } = await descriptor(input)
  const out = Buffer.alloc(WINDOW + blockMax)
  const content = new XxHash32()
  let history = 0
  for (;;) {
    const word = (await input.take(4)).readUInt32LE(0)
    if (word === 0) break
    const [isPlain, size] = [word >= 0x80000000, word & 0x7fffffff]
    if (size > blockMax) throw new Lz4Flaw('a block is longer than its frame allows')
    const block = await input.take(size)
    if (blockChecksums && (await input.take(4)).readUInt32LE(0) !== xxHash32(block))
      throw new Lz4Flaw('a block differs from its checksum')
    if (isPlain) block.copy(out, history)
    const end = isPlain ? history + size : unpackBlock(block, out, history, history + blockMax)
    const unpacked = Buffer.from(out.subarray(history, end))
    content.update(unpacked)
    yield unpacked
    history = linked ? keepWindow(out, end) : 0
  }
  if (contentChecksum && (await input.take(4)).readUInt32LE(0) !== content.digest())
    throw new Lz4Flaw('the content differs from its checksum')
}

function keepWindow(out: Buffer, end: number): number {
  const from = Math.max(0, end - WINDOW)
  out.copyWithin(0, from, end)
  return end - from
}

async function descriptor(input: ByteQueue) {
  const head = await input.take(2)
  const [flags, sizes] = [head[0] ?? 0, head[1] ?? 0]
  const blockMax = [0, 0, 0, 0, 1 << 16, 1 << 18, 1 << 20, 1 << 22][(sizes >> 4) & 7]
  if (flags >> 6 !== 1 || !blockMax) throw new Lz4Flaw('its lz4 frame is of an unknown version')
  if (flags & 1) throw new Lz4Flaw('its lz4 frame needs a dictionary')
  const more = await input.take(flags & 8 ? 8 : 0)
  const checksum = (await input.take(1))[0]
  if (checksum !== ((xxHash32(Buffer.concat([head, more])) >> 8) & 255))
    throw new Lz4Flaw('the head of its lz4 frame differs from its checksum')
  return {
    linked: (flags & 32) === 0,
    blockMax,
    blockChecksums: (flags & 16) !== 0,
    contentChecksum: (flags & 4) !== 0,
  }
}

/** Reads fixed numbers of bytes from chunks of any length. */
class ByteQueue {
  private held: Buffer = Buffer.alloc(0)

  constructor(private readonly chunks: AsyncIterator<Uint8Array>) {}

  async take(count: number): Promise<Buffer> {
    const taken = await this.takeOrEnd(count)
    if (taken === null && count > 0) throw new Lz4Flaw('unexpected end of file')
    return taken ?? Buffer.alloc(0)
  }

  /** null at the end. */
  async takeOrEnd(count: number): Promise<Buffer | null> {
    const parts = [this.held]
    let length = this.held.length
    while (length < count) {
      const { done, value } = await this.chunks.next()
      if (done) break
      parts.push(Buffer.from(value.buffer, value.byteOffset, value.length))
      length += value.length
    }
    const all = parts.length === 1 ? this.held : Buffer.concat(parts)
    if (length === 0) return null
    if (length < count) throw new Lz4Flaw('unexpected end of file')
    this.held = all.subarray(count)
    return all.subarray(0, count)
  }

  async skip(count: number): Promise<void> {
    for (let left = count; left > 0; ) {
      const step = Math.min(left, 1 << 16)
      await this.take(step)
      left -= step
    }
  }
}

/** Thrown for invalid compressed bytes. */
class Lz4Flaw extends Error {
  override name = 'Lz4Flaw'
}

/**
 * Decompresses one lz4 block into `out` from `start` on; returns its end.
 *
 * Matches may refer to bytes before `start`. Never writes beyond `most`.
 *
 * @see https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md
 */
function unpackBlock(block: Buffer, out: Buffer, start: number, most: number): number {
  let [at, end] = [0, start]
  const length = (nibble: number): number => {
    let value = nibble
    if (nibble === 15)
      for (let more = 255; more === 255; value += more) {
        if (at >= block.length) throw new Lz4Flaw('a length is cut off')
        more = block[at++] ?? 0
      }
    return value
  }
  while (at < block.length) {
    const token = block[at++] ?? 0
    const literals = length(token >> 4)
    if (at + literals > block.length) throw new Lz4Flaw('literals are cut off')
    if (end + literals > most) throw new Lz4Flaw('a block is longer than its frame allows')
    block.copy(out, end, at, at + literals)
    at += literals
    end += literals
    // The last sequence has literals only.
    if (at === block.length) return end
    if (at + 2 > block.length) throw new Lz4Flaw('a match is cut off')
    const offset = block.readUInt16LE(at)
    at += 2
    const size = length(token & 15) + 4
    if (offset === 0 || offset > end) throw new Lz4Flaw('a match lies before the beginning')
    if (end + size > most) throw new Lz4Flaw('a block is longer than its frame allows')
    copyMatch(out, end, offset, size)
    end += size
  }
  throw new Lz4Flaw('a block has no end')
}

/** A match may overlap its own output, and then repeats it. */
function copyMatch(out: Buffer, end: number, offset: number, size: number): void {
  if (offset >= size) out.copyWithin(end, end - offset, end - offset + size)
  else for (let at = 0; at < size; at++) out[end + at] = out[end + at - offset] ?? 0
}

const [P1, P2, P3, P4, P5] = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1]

/**
 * XXH32 (seed 0) of a stream: the checksum of lz4 frames.
 *
 * @see https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
 */
class XxHash32 {
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

  /** Of all bytes so far, 0 to 2^32 - 1. */
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

/** XXH32 of a buffer. */
function xxHash32(bytes: Buffer): number {
  const hash = new XxHash32()
  hash.update(bytes)
  return hash.digest()
}

const rotated = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits))
const lane = (sum: number, word: number) =>
  Math.imul(rotated((sum + Math.imul(word, P2)) | 0, 13), P1)
