/**
 * How much of a recording that is being written, or was killed, can be read: a plain one to the end
 * of its last whole line, a compressed one to the end of its last whole zstd frame.
 */
import { compressionOf } from './compression.ts'

/** Bytes from the start of the file that hold whole lines. */
export async function readableExtent(path: string): Promise<number> {
  const file = Bun.file(path)
  return (await compressionOf(path)) === 'zstd' ? wholeFrames(file) : wholeLines(file)
}

const PIECE_BYTES = 64 * 1024
const NEWLINE = 10

async function wholeLines(file: Blob): Promise<number> {
  for (let end = file.size; end > 0; end -= PIECE_BYTES) {
    const from = Math.max(0, end - PIECE_BYTES)
    const piece = Buffer.from(await file.slice(from, end).bytes())
    const at = piece.lastIndexOf(NEWLINE)
    if (at >= 0) return from + at + 1
  }
  return 0
}

/** Only the heads of frames and blocks are read, as RFC 8878 lays them out. */
async function wholeFrames(file: Blob): Promise<number> {
  const bytes = new ByteWindow(file)
  let whole = 0
  for (;;) {
    const end = await frameEnd(bytes, whole)
    if (end === null || end > file.size) return whole
    whole = end
  }
}

const MAGIC = 0xfd2fb528
const CONTENT_SIZE_BYTES = [0, 2, 4, 8]
const DICTIONARY_BYTES = [0, 1, 2, 4]

/** Where the frame that begins at `start` ends; null when that is not known yet. */
async function frameEnd(bytes: ByteWindow, start: number): Promise<number | null> {
  const head = await bytes.at(start, 5)
  if (head === null || head.readUInt32LE(0) !== MAGIC) return null
  const descriptor = head[4] ?? 0
  const isSingle = (descriptor & 0x20) !== 0
  const sizeBytes = CONTENT_SIZE_BYTES[descriptor >> 6] || (isSingle ? 1 : 0)
  const dictionaryBytes = DICTIONARY_BYTES[descriptor & 3] ?? 0
  let at = start + 5 + (isSingle ? 0 : 1) + dictionaryBytes + sizeBytes
  for (;;) {
    const block = await bytes.at(at, 3)
    if (block === null) return null
    const header = block.readUIntLE(0, 3)
    // A block that repeats one byte holds just that byte.
    at += 3 + (((header >> 1) & 3) === 1 ? 1 : header >> 3)
    if ((header & 1) === 1) return at + ((descriptor & 4) === 0 ? 0 : 4)
  }
}

/** Bytes of a file by their place, read in pieces. */
class ByteWindow {
  private piece = Buffer.alloc(0)
  private from = 0

  constructor(private readonly file: Blob) {}

  /** So many bytes at a place; null where the file ends before. */
  async at(place: number, length: number): Promise<Buffer | null> {
    if (place + length > this.file.size) return null
    if (place < this.from || place + length > this.from + this.piece.length) {
      this.from = place
      this.piece = Buffer.from(await this.file.slice(place, place + PIECE_BYTES).bytes())
    }
    const at = place - this.from
    return this.piece.subarray(at, at + length)
  }
}
