import { UserError } from '../user-error.ts'
import type { SecretRemover } from './har/har-document.ts'
import { type BadRow, BadRows } from './importers/bad-rows.ts'
import { namesUnused } from './importers/contract-size.ts'
import { DraftStream } from './importers/draft-stream.ts'
import { monotonicWriter } from './importers/draft-writer.ts'
import { importerNamed, type RecognisedFile, recognise } from './importers/form-choice.ts'
import type { ContractSize, Importer, ImportOptions } from './importers/importer.ts'
import { mergedInstruments } from './importers/instrument-guess.ts'
import { LeftOut } from './importers/left-out.ts'
import { LiquidationJoin } from './importers/liquidation-join.ts'
import type { Mapping } from './importers/mapping/mapping.ts'
import { MergedStreams, type WaitingStream } from './importers/merged-streams.ts'
import { openRecording, type RecordingFile } from './importers/recording-file.ts'
import { KeptParts } from './kept-parts.ts'
import { type ByteSource, baseName, type SourceOptions } from './sources/byte-source.ts'
import { sourcesOf } from './sources/source-list.ts'
import type { TapeHeader } from './tape-event.ts'
import { createTape } from './tape-writer.ts'

export interface ImportRequest extends SourceOptions {
  /** Name of the form; by default it is recognised, of each file by its beginning. */
  from?: string
  /** What is what in files of a form of one's own; instead of a form. */
  mapping?: Mapping
  /** Go on after a break in a chain of book changes, at the next full book. */
  resync?: boolean
  /** So many lines or rows that cannot be right are left out; one more ends the import. */
  tolerate?: number
  /** What the coin is called where a file does not say it. */
  coin?: string
  /** What contracts are worth, by symbol or coin. */
  contracts?: ReadonlyMap<string, ContractSize>
  /** Keeps what is done beside the tape when it is interrupted, and goes on from there. */
  resume?: boolean
  /** Takes secrets out of HAR documents, which cannot be imported without. */
  secrets?: SecretRemover
  onProgress?: (progress: ImportProgress) => void
  /** Ends the import, which leaves nothing then but parts that are kept. */
  signal?: AbortSignal
}

export interface ImportProgress {
  /** Lines and rows read, in tens of thousands. */
  lines: number
  /** Files that are begun, of how many. */
  begun: number
  files: number
}

export interface ImportReport {
  /** The forms of the files, each once. */
  forms: string[]
  header: TapeHeader
  files: number
  /** Lines and rows read. */
  lines: number
  /** What did not become events and why, with its number. */
  leftOut: ReadonlyMap<string, number>
  badRows: { count: number; told: readonly BadRow[] }
  /** Symbols and coins of which a contract was given, and which have no sizes in contracts. */
  unusedContracts: string[]
}

/**
 * Makes a tape of recordings: files, folders, `http(s)://` and `s3://` addresses.
 *
 * An event's time is the source's own, but never before that of the event ahead of it: a trade
 * keeps its own time in `sourceTimeMs` then. A line that cannot be right is a `UserError` naming
 * file and line, unless it is tolerated. Nothing has the tape's name unless all went well.
 */
export async function importTape(
  names: readonly string[],
  out: string,
  request: ImportRequest = {},
): Promise<ImportReport> {
  const sources = await sourcesOf(names, request)
  const wanted = request.from === undefined ? undefined : importerNamed(request.from).container
  const files: RecordingFile[] = []
  for (const source of sources) files.push(await openRecording(source, wanted))
  if (files.length === 0) throw new UserError('no file is given to import')
  const found = recognise(files, request)
  const badRows = new BadRows(request.tolerate ?? 0)
  const options = optionsOf(found, request)
  const streams = new MergedStreams(await waitingStreams(found, options, badRows))
  const leftOut = new LeftOut()
  const join = new LiquidationJoin(options.hasTrades, leftOut)
  const forms = [...new Set(found.map(({ importer }) => importer.name))]
  const source = `${forms.join(' ')} ${sourceText(names)}`
  const kept = request.resume ? await KeptParts.open(out, keyOf(sources, request)) : null
  const writer = await createTape(out, { source, instruments: [] }, kept)
  try {
    const write = monotonicWriter(writer, join)
    const lines = await writeAll(
      streams,
      { write, keep: () => writer.keep() },
      files.length,
      request,
    )
    join.end()
    const header = await writer.finish(
      mergedInstruments(streams.opened.flatMap(({ reader }) => reader.instruments())),
    )
    for (const { reader } of streams.opened)
      for (const [what, by] of reader.leftOut) leftOut.count(what, by)
    const unusedContracts = namesUnused(options)
    return { forms, header, files: files.length, lines, leftOut, badRows, unusedContracts }
  } finally {
    await streams.close()
    await writer.abandon()
  }
}

/** What decides the events of an import: its sources as they are now, and how they are read. */
function keyOf(sources: readonly ByteSource[], request: ImportRequest): string {
  const { from, mapping, resync, coin, contracts } = request
  const read = sources.map(({ name, version }) => [name, version])
  const text = JSON.stringify([read, from, mapping, resync, coin, [...(contracts ?? [])]])
  return new Bun.CryptoHasher('sha256').update(text).digest('hex')
}

/** Progress is told by so many lines. */
const PROGRESS_LINES = 10_000
/** So many names stand in the header. */
const NAMES_MAX = 8

function sourceText(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_MAX).map(baseName).join(' ')
  return names.length > NAMES_MAX ? `${shown} and ${names.length - NAMES_MAX} more` : shown
}

function optionsOf(found: readonly RecognisedFile[], request: ImportRequest): ImportOptions {
  return {
    resync: request.resync ?? false,
    coin: request.coin ?? null,
    contracts: request.contracts ?? new Map(),
    usedContracts: new Set(),
    secrets: request.secrets ?? null,
    hasTrades: found.some(({ file, importer }) => importer.tellsTrades?.(file.sample)),
  }
}

/** One stream for a recording in several files, or else one for each of them. */
async function waitingStreams(
  found: readonly RecognisedFile[],
  options: ImportOptions,
  badRows: BadRows,
): Promise<WaitingStream[]> {
  const stream = (importer: Importer, files: RecordingFile[], bad: BadRows) =>
    new DraftStream(files, importer, importer.createReader(options), bad)
  const [first] = found
  if (first && (found.length === 1 || first.importer.order === 'sequence')) {
    const files = found.map(({ file }) => file)
    return [{ firstMs: 0, open: () => stream(first.importer, files, badRows) }]
  }
  const waiting: WaitingStream[] = []
  for (const { file, importer } of found) {
    const glance = stream(importer, [file], new BadRows(Number.POSITIVE_INFINITY))
    await glance.next()
    await glance.close()
    const firstMs = glance.drafts.length > 0 ? glance.timeMs : Number.POSITIVE_INFINITY
    waiting.push({ firstMs, open: () => stream(importer, [file], badRows) })
  }
  return waiting
}

/** Where the events of records go. */
interface EventOutput {
  write(stream: DraftStream): Promise<void> | undefined
  keep(): Promise<void> | undefined
}

async function writeAll(
  streams: MergedStreams,
  { write, keep }: EventOutput,
  files: number,
  { onProgress, signal }: ImportRequest,
): Promise<number> {
  let [stream, lines, told] = [await streams.first(), 0, 0]
  while (stream !== null) {
    const before: number = stream.records
    const drained = write(stream)
    if (drained) await drained
    const keeping = keep()
    if (keeping) await keeping
    const read = streams.advance(stream)
    if (read) await read
    if (read && signal?.aborted) throw new UserError('is interrupted')
    lines += stream.records - before
    if (lines - told >= PROGRESS_LINES) {
      told = lines - (lines % PROGRESS_LINES)
      onProgress?.({ lines: told, begun: streams.begun(), files })
    }
    if (stream.drafts.length === 0 || !streams.isAlone()) {
      const next = streams.first()
      stream = next instanceof Promise ? await next : next
    }
  }
  return streams.opened.reduce((sum, { records }) => sum + records, 0)
}
