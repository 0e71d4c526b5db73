import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib'
import { tooLong } from './kept-bytes.ts'

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer

const DECODERS: Record<string, Decoder> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  // Some send it without the two bytes in front that the standard asks for.
  deflate: (bytes, options) => (isZlib(bytes) ? inflateSync : inflateRawSync)(bytes, options),
  identity: (bytes) => bytes,
}

/** A body without its `content-encoding`; in words why it could not be decoded. */
export function decodedBody(
  bytes: Buffer,
  encoding: string | null,
  most: number,
): { bytes: Buffer; flaw: string | null } {
  const names = (encoding ?? '').toLowerCase().split(',')
  let decoded = bytes
  for (const name of names
    .map((one) => one.trim())
    .filter(Boolean)
    .reverse()) {
    if (decoded.length === 0) break
    try {
      decoded = (DECODERS[name] ?? unknown)(decoded, { maxOutputLength: most })
    } catch (error) {
      const { code, message: why } = error as NodeJS.ErrnoException
      if (code === 'ERR_BUFFER_TOO_LARGE') return { bytes: EMPTY, flaw: tooLong(most) }
      return { bytes: EMPTY, flaw: `is not what its content-encoding ${name} says: ${why}` }
    }
  }
  return { bytes: decoded, flaw: null }
}

const EMPTY = Buffer.alloc(0)

const isZlib = (bytes: Buffer): boolean =>
  ((bytes[0] ?? 0) & 15) === 8 && bytes.length > 1 && bytes.readUInt16BE(0) % 31 === 0

const unknown: Decoder = () => {
  throw new Error('nothing here decodes it')
}
