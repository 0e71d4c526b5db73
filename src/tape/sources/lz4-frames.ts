import { Lz4Flaw, unpackBlock } from './lz4-block.ts'
import { XxHash32, xxHash32 } from './xx-hash.ts'

export const LZ4_MAGIC = 0x184d2204
const LEGACY_MAGIC = 0x184c2102
/** Sixteen magic numbers begin frames that are to be passed over. */
const isSkippable = (magic: number) => (magic & 0xfffffff0) >>> 0 === 0x184d2a50

/** So far back a match may lie. */
const WINDOW = 64 * 1024

/**
 * Unpacks lz4 frames that follow one another; checksums are checked where frames have them.
 *
 * Memory is two blocks (4 MiB at most each). Packages that do it unpack whole files in memory or
 * are compiled for one machine each, so this is our own.
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

/** Takes so many bytes at a time from chunks of any length. */
class ByteQueue {
  private held: Buffer = Buffer.alloc(0)

  constructor(private readonly chunks: AsyncIterator<Uint8Array>) {}

  async take(count: number): Promise<Buffer> {
    const taken = await this.takeOrEnd(count)
    if (taken === null && count > 0) throw new Lz4Flaw('unexpected end of file')
    return taken ?? Buffer.alloc(0)
  }

  /** null where nothing is left. */
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
