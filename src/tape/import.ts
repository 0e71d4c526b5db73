import path from 'node:path'
import { Complaint } from '../complaint.ts'
import type { Draft, Header } from './event.ts'
import type { Importer, Reading } from './importers/importer.ts'
import { IMPORTERS } from './importers/index.ts'
import { lines } from './lines.ts'
import type { Loose } from './loose.ts'
import { createTape, type TapeWriter } from './writer.ts'

export interface ImportWish {
  /** Name of the form; recognised by the first frame unless told. */
  from?: string
  /** Go on after a break in a chain of book changes, at the next whole book. */
  resync?: boolean
}

export interface ImportReport {
  form: string
  header: Header
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
 * `sourceTimeMs` then. A line that cannot be right is a `Complaint` naming file and line.
 */
export async function importTape(
  files: readonly string[],
  out: string,
  wish: ImportWish = {},
): Promise<ImportReport> {
  const importer = await choose(files, wish.from)
  const reading = importer.begin({ resync: wish.resync ?? false })
  const names = files.map((file) => path.basename(file)).join(' ')
  const writer = await createTape(out, { source: `${importer.name} ${names}`, instruments: [] })
  const onward = monotonic(writer)
  let count = 0
  try {
    for (const file of files) count += await readFile(file, reading, onward)
    await onward(reading.end())
    const header = await writer.finish(reading.instruments())
    return { form: importer.name, header, lines: count, leftOut: reading.leftOut }
  } finally {
    await writer.abandon()
  }
}

async function readFile(
  file: string,
  reading: Reading,
  onward: (drafts: Draft[]) => Promise<void> | undefined,
): Promise<number> {
  let count = 0
  for await (const batch of lines(file)) {
    for (const [i, line] of batch.lines.entries()) {
      const full = at(file, batch.first + i, () => {
        const { localMs, frame } = split(line)
        return onward(reading.frame(frame, localMs))
      })
      if (full) await full
    }
    count += batch.lines.length
  }
  return count
}

/** Writes drafts, moving those that lie before the one ahead of them up to its time. */
function monotonic(writer: TapeWriter): (drafts: Draft[]) => Promise<void> | undefined {
  let lastMs = 0
  return (drafts) => {
    let full: Promise<void> | undefined
    for (const draft of drafts) {
      const { time } = draft
      lastMs = Math.max(lastMs, time)
      const moved = { ...draft, time: lastMs } as Draft
      if (moved.kind === 'trade' && time < lastMs)
        moved.data = { ...moved.data, sourceTimeMs: time }
      const wait = writer.write(moved)
      if (wait) full = full ? Promise.all([full, wait]).then(() => {}) : wait
    }
    return full
  }
}

async function choose(files: readonly string[], from?: string): Promise<Importer> {
  const names = IMPORTERS.map(({ name }) => name).join(', ')
  if (from !== undefined) {
    const named = IMPORTERS.find(({ name }) => name === from)
    if (named) return named
    throw new Complaint(`there is no form "${from}", known are ${names}`)
  }
  const [file] = files
  if (file === undefined) throw new Complaint('no file is given to import')
  for await (const { lines: some } of lines(file)) {
    const { frame } = at(file, 1, () => split(some[0] ?? ''))
    const found = IMPORTERS.find((importer) => importer.recognises(frame))
    if (found) return found
    throw new Complaint(`${file}: line 1 is of no form that is known; name one: --from ${names}`)
  }
  throw new Complaint(`${file}: is empty`)
}

function split(line: string): { localMs: number; frame: Loose } {
  const match = /^(\d{16,19}) (?=[{])/.exec(line)
  if (!match?.[1]) throw new Complaint('is not "<local clock, ns> <JSON frame>"')
  const localMs = Number(match[1].slice(0, -6))
  try {
    return { localMs, frame: JSON.parse(line.slice(match[0].length)) as Loose }
  } catch {
    throw new Complaint('has a frame that is not whole JSON')
  }
}

/** Adds file and line to a complaint about a line. */
function at<T>(file: string, line: number, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Complaint) throw new Complaint(`${file}: line ${line} ${error.message}`)
    throw error
  }
}
