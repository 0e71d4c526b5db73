import path from 'node:path'
import { unknownText } from '../suggestion/nearest-name.ts'
import { UserError } from '../user-error.ts'
import type { Importer, RecordingReader } from './importers/importer.ts'
import { IMPORTERS } from './importers/index.ts'
import type { EventDraft, TapeHeader } from './tape-event.ts'
import { createTape, type TapeWriter } from './tape-writer.ts'
import { readLines } from './text-lines.ts'
import type { UnknownRecord } from './unknown-record.ts'

export interface ImportRequest {
  /** Name of the form; by default it is recognised by the first frame. */
  from?: string
  /** Go on after a break in a chain of book changes, at the next full book. */
  resync?: boolean
  /** Told how many lines have been read, in tens of thousands. */
  onProgress?: (lines: number) => void
}

export interface ImportReport {
  form: string
  header: TapeHeader
  /** Lines read. */
  lines: number
  /** What did not become events and why, with its number. */
  leftOut: ReadonlyMap<string, number>
}

/**
 * Makes a tape of a recording in one or more files, which are read as one after the other.
 *
 * Lines are `<local clock, ns> <frame>`; files are plain, gzip or zstd. An event's time is the
 * source's own, but never before that of the event ahead of it: a trade keeps its own time in
 * `sourceTimeMs` then. A line that cannot be right is a `UserError` naming file and line.
 */
export async function importTape(
  files: readonly string[],
  out: string,
  request: ImportRequest = {},
): Promise<ImportReport> {
  const importer = await chooseImporter(files, request.from)
  const reader = importer.createReader({ resync: request.resync ?? false })
  const names = files.map((file) => path.basename(file)).join(' ')
  const writer = await createTape(out, { source: `${importer.name} ${names}`, instruments: [] })
  const writeDrafts = monotonicWriter(writer)
  let count = 0
  const countLines = (lines: number) => {
    const before = Math.floor(count / PROGRESS_LINES)
    count += lines
    const now = Math.floor(count / PROGRESS_LINES)
    if (now > before) request.onProgress?.(now * PROGRESS_LINES)
  }
  try {
    for (const file of files) await readFile(file, reader, writeDrafts, countLines)
    await writeDrafts(reader.end())
    const header = await writer.finish(reader.instruments())
    return { form: importer.name, header, lines: count, leftOut: reader.leftOut }
  } finally {
    await writer.abandon()
  }
}

/** Progress is told by so many lines. */
const PROGRESS_LINES = 10_000

async function readFile(
  file: string,
  reader: RecordingReader,
  writeDrafts: (drafts: EventDraft[]) => Promise<void> | undefined,
  countLines: (lines: number) => void,
): Promise<void> {
  for await (const batch of readLines(file)) {
    for (const [i, line] of batch.lines.entries()) {
      const drained = withPlace(file, batch.first + i, () => {
        const { localMs, frame } = splitLine(line)
        return writeDrafts(reader.frame(frame, localMs))
      })
      if (drained) await drained
    }
    countLines(batch.lines.length)
  }
}

/** Writes drafts, moving those that lie before the one ahead of them up to its time. */
function monotonicWriter(writer: TapeWriter): (drafts: EventDraft[]) => Promise<void> | undefined {
  let lastMs = 0
  return (drafts) => {
    let drained: Promise<void> | undefined
    for (const draft of drafts) {
      const { time } = draft
      lastMs = Math.max(lastMs, time)
      const moved = { ...draft, time: lastMs } as EventDraft
      if (moved.kind === 'trade' && time < lastMs)
        moved.data = { ...moved.data, sourceTimeMs: time }
      const written = writer.write(moved)
      if (written) drained = drained ? Promise.all([drained, written]).then(() => {}) : written
    }
    return drained
  }
}

async function chooseImporter(files: readonly string[], from?: string): Promise<Importer> {
  const names = IMPORTERS.map(({ name }) => name)
  if (from !== undefined) {
    const named = IMPORTERS.find(({ name }) => name === from)
    if (named) return named
    throw new UserError(unknownText('form', from, names))
  }
  const [file] = files
  if (file === undefined) throw new UserError('no file is given to import')
  for await (const { lines: first } of readLines(file)) {
    const { frame } = withPlace(file, 1, () => splitLine(first[0] ?? ''))
    const found = IMPORTERS.find((importer) => importer.recognises(frame))
    if (found) return found
    throw new UserError(
      `${file}: line 1 is of no form that is known; name one: --from ${names.join(', ')}`,
    )
  }
  throw new UserError(`${file}: is empty`)
}

function splitLine(line: string): { localMs: number; frame: UnknownRecord } {
  const match = /^(\d{16,19}) (?=[{])/.exec(line)
  if (!match?.[1]) throw new UserError('is not "<local clock, ns> <JSON frame>"')
  const localMs = Number(match[1].slice(0, -6))
  try {
    return { localMs, frame: JSON.parse(line.slice(match[0].length)) as UnknownRecord }
  } catch {
    throw new UserError('has a frame that is not whole JSON')
  }
}

/** Adds file and line to the UserError about a line. */
function withPlace<T>(file: string, line: number, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof UserError) throw new UserError(`${file}: line ${line} ${error.message}`)
    throw error
  }
}
