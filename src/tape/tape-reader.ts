import { UserError } from '../platform/user-error.ts'
import { compressionOf } from './compression.ts'
import { CoinNumbers } from './decimal-text.ts'
import { eventFlaw, type PrecedingEvent } from './event-check.ts'
import {
  EVENT_KINDS,
  type EventKind,
  readHeader,
  type TapeEvent,
  type TapeHeader,
} from './tape-event.ts'
import { readLines } from './text-lines.ts'

/** A tape with a valid header. */
export interface Tape {
  path: string
  header: TapeHeader
  /**
   * The events in order, in batches of about a thousand; each call reads the file from its start.
   *
   * Every line is checked. The first invalid one, and a length that differs from the header's
   * counts, ends the reading with a `UserError` that names file and line.
   *
   * With `only`, events of these kinds come far faster: other lines are skipped unchecked and
   * uncounted, so a full read should check the tape once.
   */
  events(only?: readonly EventKind[]): AsyncGenerator<TapeEvent[], void, undefined>
}

/**
 * Opens a tape, plain or zstd by its first bytes.
 *
 * A missing file, any other file and a later version of the format are a `UserError`. An open
 * recording (`header.open`) is read to its last whole line. The format is described in
 * docs/tape-format.md.
 */
export async function openTape(path: string): Promise<Tape> {
  const header = readHeader(path, await firstLine(path))
  if (header.open) return openRecording(path, header)
  return { path, header, events: (only) => tapeEvents({ path, header }, only) }
}

/** An open recording: its whole lines are counted. */
async function openRecording(path: string, begun: TapeHeader): Promise<Tape> {
  const counts: Partial<Record<EventKind, number>> = {}
  const header: TapeHeader = { ...begun, endMs: begun.startMs, counts }
  const file: TapeFile = { path, header, bytes: await readableExtent(path) }
  for await (const batch of tapeEvents(file))
    for (const { time, kind } of batch) {
      header.endMs = time
      counts[kind] = (counts[kind] ?? 0) + 1
    }
  return { path, header, events: (only) => tapeEvents(file, only) }
}

interface TapeFile {
  path: string
  header: TapeHeader
  /** Number of bytes to read; absent for all. */
  bytes?: number
}

async function firstLine(path: string): Promise<string> {
  for await (const batch of readLines(path)) {
    if (batch.open) break
    return batch.lines[0] ?? ''
  }
  throw new UserError(`${path}: has no whole first line, a tape begins with its header`)
}

async function* tapeEvents(
  { path, header, bytes }: TapeFile,
  only?: readonly EventKind[],
): AsyncGenerator<TapeEvent[], void, undefined> {
  const markers = only?.map((kind) => `"${kind}"`)
  const coins = new Map(header.instruments.map((one) => [one.coin, new CoinNumbers(one)]))
  const counts = new Map<EventKind, number>()
  const preceding: PrecedingEvent = { time: header.startMs, seq: -1 }
  let line = 1
  for await (const batch of readLines(path, bytes)) {
    line = batch.first
    if (batch.open && header.open) break
    if (batch.open)
      throw new UserError(`${path}: line ${line} is cut off, the tape is not complete`)
    const events: TapeEvent[] = []
    for (let i = line === 1 ? 1 : 0; i < batch.lines.length; i++) {
      const text = batch.lines[i] ?? ''
      if (markers && !markers.some((marker) => text.includes(marker))) continue
      const value = parseLine(path, line + i, text)
      const flaw = eventFlaw(value, preceding, coins)
      if (flaw) throw new UserError(`${path}: line ${line + i} ${flaw}`)
      const event = value as TapeEvent
      preceding.time = event.time
      preceding.seq = event.seq
      if (only && !only.includes(event.kind)) continue
      counts.set(event.kind, (counts.get(event.kind) ?? 0) + 1)
      events.push(event)
    }
    line += batch.lines.length
    if (events.length > 0) yield events
  }
  if (!only && !header.open) checkPromises(path, header, counts, preceding.time, line)
}

function parseLine(path: string, line: number, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UserError(`${path}: line ${line} is not JSON: ${excerpt(text)}`)
  }
}

function excerpt(text: string): string {
  if (text === '') return 'it is empty'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** The header has counts and the end, so a truncated tape is detected. */
function checkPromises(
  path: string,
  header: TapeHeader,
  counts: ReadonlyMap<EventKind, number>,
  lastMs: number,
  line: number,
): void {
  for (const kind of EVENT_KINDS) {
    const [stated, found] = [header.counts[kind] ?? 0, counts.get(kind) ?? 0]
    if (stated !== found)
      throw new UserError(
        `${path}: ends at line ${line - 1} with ${found} ${kind} events, its header says ${stated}`,
      )
  }
  if (lastMs !== header.endMs)
    throw new UserError(`${path}: ends at time ${lastMs}, its header says ${header.endMs}`)
}

// The readable part of a recording that is still being written, or was killed: a plain one to the
// end of its last whole line, a compressed one to the end of its last whole zstd frame.

/** Length of the whole lines from the start of the file, bytes. */
async function readableExtent(path: string): Promise<number> {
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

/** Only the heads of frames and blocks are read, as in RFC 8878. */
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

/** End of the frame that begins at `start`; null while it is unknown. */
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
    // A block that repeats one byte contains just that byte.
    at += 3 + (((header >> 1) & 3) === 1 ? 1 : header >> 3)
    if ((header & 1) === 1) return at + ((descriptor & 4) === 0 ? 0 : 4)
  }
}

/** Random access to bytes of a file, read in pieces. */
class ByteWindow {
  private piece = Buffer.alloc(0)
  private from = 0

  constructor(private readonly file: Blob) {}

  /** Bytes at an offset; null beyond the end of the file. */
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
