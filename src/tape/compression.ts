/** Detects a file's compression by its first bytes, without loading a decompressor. */
import { existsSync, statSync } from 'node:fs'
import { UserError } from '../platform/user-error.ts'

/** Compression of a file, by its first bytes and not by its name. */
export type Compression = 'plain' | 'gzip' | 'zstd'

/** The compression of a file; a `UserError` when it cannot be read. */
export async function compressionOf(path: string): Promise<Compression> {
  const head = await firstBytes(path)
  if (head.length === 4 && head.readUInt32LE(0) === 0xfd2fb528) return 'zstd'
  return head.length >= 2 && head.readUInt16LE(0) === 0x8b1f ? 'gzip' : 'plain'
}

async function firstBytes(path: string): Promise<Buffer> {
  if (!existsSync(path)) throw new UserError(`${path}: there is no such file`)
  if (statSync(path).isDirectory()) throw new UserError(`${path}: is a folder, give a file`)
  try {
    // Not by node:fs, which cannot open a file embedded in a compiled program.
    return Buffer.from(await Bun.file(path).slice(0, 4).bytes())
  } catch (error) {
    throw new UserError(`${path}: cannot be read (${errorText(error)}): make it readable`)
  }
}

/** Message of any thrown value. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * SHA-256 of a file's bytes as stored, in lower-case hexadecimal digits.
 *
 * Part of the name of a world that is cast from a tape. A missing or unreadable file is a
 * `UserError`. A long file is read in pieces, between which the thread is free.
 */
export async function fileDigest(path: string): Promise<string> {
  await compressionOf(path)
  const hasher = new Bun.CryptoHasher('sha256')
  try {
    const [content, { size }] = [Bun.file(path), statSync(path)]
    for (let at = 0; at < size; at += PIECE_BYTES)
      hasher.update(await content.slice(at, at + PIECE_BYTES).bytes())
  } catch (error) {
    throw new UserError(`${path}: cannot be read (${errorText(error)}): make it readable`)
  }
  return hasher.digest('hex')
}

const PIECE_BYTES = 1 << 18
