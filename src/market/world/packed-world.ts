/** Packed worlds for distribution: compressed without some indexes, a third of the file. */
import { Database } from 'bun:sqlite'
import { copyFileSync, createWriteStream, existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { inNextTurn } from '../../platform/next-turn.ts'
import { UserError } from '../../platform/user-error.ts'
import { removeDatabase } from '../casting/writing/kept-file.ts'
import { dropSimpleIndexes, restoreSimpleIndexes } from './pocket.ts'

/** The highest levels take ten times as long for a fifteenth. */
const LEVEL = 12

/** The packed form of a world in a folder; null when it is missing. */
export function packedFile(folder: string, world: string): string | null {
  const packed = path.join(folder, packedName(world))
  return existsSync(packed) ? packed : null
}

/** Packs a finished world into a folder under its name, made when missing; returns its file. */
export async function packWorld(world: string, folder: string): Promise<string> {
  const packed = path.join(folder, packedName(world))
  const draft = `${packed}.${process.pid}.tmp`
  mkdirSync(folder, { recursive: true })
  try {
    copyFileSync(world, draft)
    const db = new Database(draft, { strict: true })
    dropSimpleIndexes(db)
    db.close()
    const bytes = await Bun.file(draft).bytes()
    await Bun.write(packed, await Bun.zstdCompress(bytes, { level: LEVEL }))
  } finally {
    removeDatabase(draft)
  }
  return packed
}

/** Unpacks a world into a new file; what cannot be read or written is a UserError. */
export async function unpackWorld(packed: string, file: string): Promise<void> {
  const { Readable } = await import('node:stream')
  const { pipeline } = await import('node:stream/promises')
  const { createZstdDecompress } = await import('node:zlib')
  try {
    // Files inside an executable can be read by Bun only.
    const source = Readable.fromWeb(Bun.file(packed).stream() as never)
    const unpacked = createZstdDecompress({ chunkSize: CHUNK_BYTES })
    await pipeline(source, unpacked, createWriteStream(file, { highWaterMark: CHUNK_BYTES }))
    await restoreIndexes(file)
  } catch (error) {
    throw new UserError(
      `cannot unpack ${packed} (${(error as Error).message}): ` +
        'make room in the cache folder, or pack the world again',
    )
  }
}

/** The file is a draft: it needs no journal. */
async function restoreIndexes(file: string): Promise<void> {
  const db = new Database(file, { strict: true })
  try {
    db.exec('pragma journal_mode = off; pragma synchronous = off; pragma temp_store = memory')
    for (const _ of restoreSimpleIndexes(db))
      await new Promise<void>((resume) => inNextTurn(resume))
  } finally {
    db.close()
  }
}

const packedName = (world: string) => `${path.basename(world)}.zst`

const CHUNK_BYTES = 1 << 20
