import { statSync } from 'node:fs'
import { UserError } from '../platform/user-error.ts'
import { compressionOf, errorText } from './compression.ts'

/**
 * SHA-256 of a file's bytes as they lie on the disk, in lower-case hexadecimal digits.
 *
 * Part of the name of a world that is cast from a tape. A missing or unreadable file is a
 * `UserError`. A long file is read in pieces, between which others have the thread.
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
