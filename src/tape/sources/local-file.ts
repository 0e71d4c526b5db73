import { statSync } from 'node:fs'
import { UserError } from '../../platform/user-error.ts'
import { errorText } from '../compression.ts'
import { type ByteSource, baseName } from './byte-source.ts'

const CHUNK_BYTES = 256 * 1024

/** A file of this machine. */
export function localFile(path: string): ByteSource {
  const { size, mtimeMs } = statSync(path)
  const slice = async (from: number, to: number): Promise<Uint8Array> => {
    try {
      return await Bun.file(path).slice(from, to).bytes()
    } catch (error) {
      throw new UserError(`${path}: cannot be read (${errorText(error)}): make it readable`)
    }
  }
  async function* stream() {
    for (let at = 0; at < size; at += CHUNK_BYTES)
      yield await slice(at, Math.min(size, at + CHUNK_BYTES))
  }
  return { name: path, base: baseName(path), size, version: `${size} ${mtimeMs}`, stream, slice }
}
