import { Readable, type Transform } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { UserError } from '../../user-error.ts'
import { errorText } from '../compression.ts'
import type { ByteSource } from './byte-source.ts'
import { LZ4_MAGIC, lz4Frames } from './lz4-frames.ts'
import { wholeZstdFrames } from './zstd-frames.ts'

const CHUNK_BYTES = 256 * 1024

/** What a file begins with that is packed in a way that is not read, and how to mend that. */
const FOREIGN: readonly [magic: string, what: string][] = [
  ['504b0304', 'a zip archive: unzip it first'],
  ['425a68', 'packed with bzip2: unpack it first'],
  ['fd377a58', 'packed with xz: unpack it first'],
  ['377abcaf', 'a 7z archive: unpack it first'],
]

/**
 * The bytes of a source in order, unpacked: plain, gzip, zstd or lz4, by its first bytes and not by
 * its name. Memory does not grow with the source. A damaged one is a `UserError`.
 */
export async function* unpackedBytes(source: ByteSource): AsyncGenerator<Buffer, void, undefined> {
  const chunks = source.stream()
  try {
    const first = await firstChunk(chunks)
    const magic = first.subarray(0, 6).toString('hex')
    const foreign = FOREIGN.find(([start]) => magic.startsWith(start))
    if (foreign) throw new UserError(`${source.name}: is ${foreign[1]}`)
    yield* unpacked(magic, following(first, chunks))
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${source.name}: is damaged: ${errorText(error)}`)
  } finally {
    await chunks.return()
  }
}

async function* unpacked(
  magic: string,
  chunks: AsyncGenerator<Buffer, void, undefined>,
): AsyncGenerator<Buffer, void, undefined> {
  const isLz4 = magic.startsWith(LZ4) || /^5.2a4d18/.test(magic)
  if (isLz4) return yield* lz4Frames(chunks)
  const transform = transformFor(magic)
  if (transform === null) return yield* chunks
  const input = Readable.from(magic.startsWith(ZSTD) ? wholeZstdFrames(chunks) : chunks)
  input.on('error', (error) => transform.destroy(error)).pipe(transform)
  try {
    yield* transform
  } finally {
    input.destroy()
    transform.destroy()
  }
}

const LZ4 = Buffer.from(Uint32Array.of(LZ4_MAGIC).buffer).toString('hex')

const ZSTD = '28b52ffd'

function transformFor(magic: string): Transform | null {
  if (magic.startsWith(ZSTD)) return createZstdDecompress({ chunkSize: CHUNK_BYTES })
  return magic.startsWith('1f8b') ? createGunzip({ chunkSize: CHUNK_BYTES }) : null
}

/** Enough to tell what it is, where there is so much. */
async function firstChunk(chunks: AsyncGenerator<Uint8Array>): Promise<Buffer> {
  let first = Buffer.alloc(0)
  while (first.length < 6) {
    const { done, value } = await chunks.next()
    if (done) break
    first = Buffer.concat([first, value])
  }
  return first
}

async function* following(
  first: Buffer,
  chunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  if (first.length > 0) yield first
  for await (const chunk of chunks)
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}
