import { statSync } from 'node:fs'
import { Readable, type Transform } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { UserError } from '../user-error.ts'
import { type Compression, compressionOf, errorText } from './compression.ts'

const CHUNK_BYTES = 256 * 1024

/**
 * The bytes of a file in order, decompressed; several compressed frames in a row are one text.
 *
 * Memory does not grow with the file. A missing, unreadable or damaged file is a `UserError`.
 * With `most`, only so many bytes of the file are read.
 */
export async function* fileBytes(
  path: string,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer, void, undefined> {
  const decompress = decompressor(await compressionOf(path))
  const source = Readable.from(pieces(path, most))
  if (decompress) source.on('error', (error) => decompress.destroy(error)).pipe(decompress)
  try {
    yield* decompress ?? source
  } catch (error) {
    throw new UserError(`${path}: is damaged: ${errorText(error)}`)
  } finally {
    source.destroy()
    decompress?.destroy()
  }
}

/** Not by node:fs, which knows no way to stream a file that lies inside a compiled program. */
async function* pieces(path: string, most: number): AsyncGenerator<Uint8Array, void, undefined> {
  const [file, size] = [Bun.file(path), Math.min(statSync(path).size, most)]
  for (let at = 0; at < size; at += CHUNK_BYTES)
    yield await file.slice(at, Math.min(at + CHUNK_BYTES, size)).bytes()
}

function decompressor(kind: Compression): Transform | null {
  if (kind === 'zstd') return createZstdDecompress({ chunkSize: CHUNK_BYTES })
  return kind === 'gzip' ? createGunzip({ chunkSize: CHUNK_BYTES }) : null
}
