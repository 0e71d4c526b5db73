import { statSync } from 'node:fs'
import type { Transform } from 'node:stream'
import { UserError } from '../platform/user-error.ts'
import { type Compression, compressionOf, errorText } from './compression.ts'

const CHUNK_BYTES = 256 * 1024

/**
 * The bytes of a file in order, decompressed; consecutive compressed frames are one text.
 *
 * Memory does not grow with the file. A missing, unreadable or damaged file is a `UserError`. With
 * `most`, only so many bytes of the file are read.
 */
async function* fileBytes(
  path: string,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer, void, undefined> {
  const decompress = await decompressor(await compressionOf(path))
  // Streams take a tenth of a start, and most starts read no file.
  const { Readable } = await import('node:stream')
  const source = Readable.from(pieces(path, most))
  if (decompress) source.on('error', (error) => decompress.destroy(error)).pipe(decompress)
  try {
    yield* decompress ?? source
  } catch (error) {
    throw new UserError(`${path}: is damaged: ${errorText(error)}`)
  } finally {
    source.destroy()
    decompress?.destroy()
  }
}

/** Not by node:fs, which cannot stream a file embedded in a compiled program. */
async function* pieces(path: string, most: number): AsyncGenerator<Uint8Array, void, undefined> {
  const [file, size] = [Bun.file(path), Math.min(statSync(path).size, most)]
  for (let at = 0; at < size; at += CHUNK_BYTES)
    yield await file.slice(at, Math.min(at + CHUNK_BYTES, size)).bytes()
}

async function decompressor(kind: Compression): Promise<Transform | null> {
  if (kind === 'plain') return null
  const { createGunzip, createZstdDecompress } = await import('node:zlib')
  if (kind === 'zstd') return createZstdDecompress({ chunkSize: CHUNK_BYTES })
  return createGunzip({ chunkSize: CHUNK_BYTES })
}

/** Whole lines of a text file, in order, without their line ends. */
export interface LineBatch<Line = string> {
  /** Number of the first of them in the file, counted from 1. */
  first: number
  lines: Line[]
  /** True when the file ends within the last of them, without a line end. */
  open: boolean
}

const LINE_BYTES_MAX = 64 * 1024 * 1024
const NEWLINE = 10

/**
 * The lines of a plain, gzip or zstd file in batches of about a thousand.
 *
 * Text that is not UTF-8 and lines over 64 MiB are a `UserError` that names file and line.
 * With `mostBytes`, only so many bytes of the file are read.
 */
export function readLines(
  path: string,
  mostBytes?: number,
): AsyncGenerator<LineBatch, void, undefined> {
  return linesOf(path, fileBytes(path, mostBytes), LINE_BYTES_MAX)
}

/** Converts the bytes of whole lines, whose last line end may be missing. */
export type LineReading<Line> = (bytes: Buffer, name: string, first: number) => Line[]

/** The lines of a text that comes in chunks; messages begin with `name`. */
export function linesOf(
  name: string,
  chunks: AsyncIterable<Buffer>,
  lineBytesMax: number,
): AsyncGenerator<LineBatch, void, undefined> {
  return lineBatches(name, chunks, lineBytesMax, textLines)
}

/** The same, with each line converted. */
export async function* lineBatches<Line>(
  name: string,
  chunks: AsyncIterable<Buffer>,
  lineBytesMax: number,
  read: LineReading<Line>,
): AsyncGenerator<LineBatch<Line>, void, undefined> {
  let pendingChunks: Buffer[] = []
  let pendingBytes = 0
  let first = 1
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE)
    if (end < 0) {
      pendingChunks.push(chunk)
      pendingBytes += chunk.length
      if (pendingBytes > lineBytesMax) throw tooLong(name, first, lineBytesMax)
      continue
    }
    // Only the line begun before is joined; the rest is not copied.
    const start = pendingBytes === 0 ? 0 : chunk.indexOf(NEWLINE) + 1
    const begun = start === 0 ? [] : [...pendingChunks, chunk.subarray(0, start - 1)]
    const head = begun.length === 0 ? [] : read(Buffer.concat(begun), name, first)
    const whole = chunk.subarray(start, end)
    const lines = start > end ? [] : read(whole, name, first + head.length)
    pendingChunks = [chunk.subarray(end + 1)]
    pendingBytes = chunk.length - end - 1
    lines.unshift(...head)
    yield { first, lines, open: false }
    first += lines.length
  }
  const remainder = Buffer.concat(pendingChunks)
  if (remainder.length > 0) yield { first, lines: read(remainder, name, first), open: true }
}

/** Lines as texts. Invalid UTF-8 is a `UserError`. */
export function textLines(bytes: Buffer, name: string, first: number): string[] {
  return utf8Text(bytes, name, first).split('\n')
}

function tooLong(name: string, line: number, bytes: number): UserError {
  const mebibytes = bytes / 1024 / 1024
  return new UserError(
    `${name}: line ${line} is longer than ${mebibytes} MiB, this is no line format`,
  )
}

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of lines; `first` is the number of the first. */
export function utf8Text(bytes: Buffer, name: string, first: number): string {
  try {
    return DECODER.decode(bytes)
  } catch {
    throw new UserError(`${name}: line ${first + brokenLine(bytes)} is not UTF-8 text`)
  }
}

/** Number of valid lines before the one that is not UTF-8. */
function brokenLine(text: Buffer): number {
  let [goodLines, from] = [0, 0]
  for (let end = text.indexOf(NEWLINE); end >= 0; end = text.indexOf(NEWLINE, from)) {
    if (!isUtf8(text.subarray(from, end))) return goodLines
    goodLines++
    from = end + 1
  }
  return goodLines
}

function isUtf8(line: Buffer): boolean {
  try {
    DECODER.decode(line)
    return true
  } catch {
    return false
  }
}
