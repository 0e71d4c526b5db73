import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { Transform } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { UserError } from '../user-error.ts'

const CHUNK_BYTES = 256 * 1024

/** How a file is compressed, by its first bytes and not by its name. */
export type Compression = 'plain' | 'gzip' | 'zstd'

/**
 * The bytes of a file in order, decompressed; several compressed frames in a row are one text.
 *
 * Memory does not grow with the file. A missing, unreadable or damaged file is a `UserError`.
 */
export async function* fileBytes(path: string): AsyncGenerator<Buffer, void, undefined> {
  const decompress = decompressor(await compressionOf(path))
  const source = createReadStream(path, { highWaterMark: CHUNK_BYTES })
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

/** How the file is compressed; a `UserError` when it is no file that can be read. */
export async function compressionOf(path: string): Promise<Compression> {
  const head = await firstBytes(path)
  if (head.length === 4 && head.readUInt32LE(0) === 0xfd2fb528) return 'zstd'
  return head.length >= 2 && head.readUInt16LE(0) === 0x8b1f ? 'gzip' : 'plain'
}

async function firstBytes(path: string): Promise<Buffer> {
  const stats = await stat(path).catch(() => null)
  if (!stats) throw new UserError(`${path}: there is no such file`)
  if (stats.isDirectory()) throw new UserError(`${path}: is a folder, give a file`)
  try {
    const file = await open(path)
    const head = Buffer.alloc(4)
    const { bytesRead } = await file.read(head, 0, 4, 0).finally(() => file.close())
    return head.subarray(0, bytesRead)
  } catch (error) {
    throw new UserError(`${path}: cannot be read: ${errorText(error)}`)
  }
}

function decompressor(kind: Compression): Transform | null {
  if (kind === 'zstd') return createZstdDecompress({ chunkSize: CHUNK_BYTES })
  return kind === 'gzip' ? createGunzip({ chunkSize: CHUNK_BYTES }) : null
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
