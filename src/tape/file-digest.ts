import { UserError } from '../user-error.ts'
import { compressionOf, errorText } from './compression.ts'

/**
 * SHA-256 of a file's bytes as they lie on the disk, in lower-case hexadecimal digits.
 *
 * Part of the name of a world that is cast from a tape. A missing or unreadable file is a
 * `UserError`. A long file is read in pieces, between which others have the thread.
 */
export async function fileDigest(path: string): Promise<string> {
  compressionOf(path)
  const hasher = new Bun.CryptoHasher('sha256')
  try {
    for await (const chunk of Bun.file(path).stream()) hasher.update(chunk)
  } catch (error) {
    throw new UserError(`${path}: cannot be read: ${errorText(error)}`)
  }
  return hasher.digest('hex')
}
