/** What a file is by its first bytes, told without loading what decompresses it. */
import { existsSync, statSync } from 'node:fs'
import { UserError } from '../platform/user-error.ts'

/** How a file is compressed, by its first bytes and not by its name. */
export type Compression = 'plain' | 'gzip' | 'zstd'

/** How the file is compressed; a `UserError` when it is no file that can be read. */
export async function compressionOf(path: string): Promise<Compression> {
  const head = await firstBytes(path)
  if (head.length === 4 && head.readUInt32LE(0) === 0xfd2fb528) return 'zstd'
  return head.length >= 2 && head.readUInt16LE(0) === 0x8b1f ? 'gzip' : 'plain'
}

async function firstBytes(path: string): Promise<Buffer> {
  if (!existsSync(path)) throw new UserError(`${path}: there is no such file`)
  if (statSync(path).isDirectory()) throw new UserError(`${path}: is a folder, give a file`)
  try {
    // Not by node:fs, which cannot open a file that lies inside a compiled program.
    return Buffer.from(await Bun.file(path).slice(0, 4).bytes())
  } catch (error) {
    throw new UserError(`${path}: cannot be read (${errorText(error)}): make it readable`)
  }
}

/** What an error says, whatever was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
