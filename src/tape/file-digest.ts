import { createReadStream } from 'node:fs'
import { compressionOf } from './file-bytes.ts'

/**
 * SHA-256 of a file's bytes as they lie on the disk, in lower-case hexadecimal digits.
 *
 * Part of the name of a world that is cast from a tape. A missing file is a `UserError`.
 */
export async function fileDigest(path: string): Promise<string> {
  await compressionOf(path)
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }))
    hasher.update(chunk as Buffer)
  return hasher.digest('hex')
}
