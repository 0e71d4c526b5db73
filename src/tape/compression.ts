/** What a file is by its first bytes, told without loading what decompresses it. */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { UserError } from '../user-error.ts'

/** How a file is compressed, by its first bytes and not by its name. */
export type Compression = 'plain' | 'gzip' | 'zstd'

/** How the file is compressed; a `UserError` when it is no file that can be read. */
export function compressionOf(path: string): Compression {
  const head = firstBytes(path)
  if (head.length === 4 && head.readUInt32LE(0) === 0xfd2fb528) return 'zstd'
  return head.length >= 2 && head.readUInt16LE(0) === 0x8b1f ? 'gzip' : 'plain'
}

function firstBytes(path: string): Buffer {
  if (!existsSync(path)) throw new UserError(`${path}: there is no such file`)
  if (statSync(path).isDirectory()) throw new UserError(`${path}: is a folder, give a file`)
  try {
    const file = openSync(path, 'r')
    const head = Buffer.alloc(4)
    try {
      return head.subarray(0, readSync(file, head, 0, 4, 0))
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw new UserError(`${path}: cannot be read (${errorText(error)}): make it readable`)
  }
}

/** What an error says, whatever was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
