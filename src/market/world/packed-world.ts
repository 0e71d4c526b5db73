/** Packed worlds for distribution: less than half as large. */
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fsyncSync,
  openSync,
} from 'node:fs'
import path from 'node:path'
import { UserError } from '../../platform/user-error.ts'

/** The highest levels take minutes for a fifth. */
const LEVEL = 4

/** The packed form of a world in a folder; null when it is missing. */
export function packedFile(folder: string, world: string): string | null {
  const packed = path.join(folder, packedName(world))
  return existsSync(packed) ? packed : null
}

/** Packs a finished world into a folder under its name; returns its file. */
export async function packWorld(world: string, folder: string): Promise<string> {
  const packed = path.join(folder, packedName(world))
  await Bun.write(packed, await Bun.zstdCompress(await Bun.file(world).bytes(), { level: LEVEL }))
  return packed
}

/** Unpacks a world into a new file; what cannot be read or written is a UserError. */
export async function unpackWorld(packed: string, file: string): Promise<void> {
  const { pipeline } = await import('node:stream/promises')
  const { createZstdDecompress } = await import('node:zlib')
  try {
    const source = createReadStream(packed, { highWaterMark: CHUNK_BYTES })
    const unpacked = createZstdDecompress({ chunkSize: CHUNK_BYTES })
    await pipeline(source, unpacked, createWriteStream(file, { highWaterMark: CHUNK_BYTES }))
    // Its seal must hold after a power cut.
    const handle = openSync(file, 'r')
    fsyncSync(handle)
    closeSync(handle)
  } catch (error) {
    throw new UserError(
      `cannot unpack ${packed} (${(error as Error).message}): ` +
        'make room in the cache folder, or pack the world again',
    )
  }
}

const packedName = (world: string) => `${path.basename(world)}.zst`

const CHUNK_BYTES = 1 << 20
