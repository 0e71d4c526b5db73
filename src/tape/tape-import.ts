import { UserError } from '../user-error.ts'
import type { ImportReport, ImportRequest } from './import-request.ts'
import { BadRows } from './importers/bad-rows.ts'
import { namesUnused } from './importers/contract-size.ts'
import { DraftStream } from './importers/draft-stream.ts'
import { LateEvents, monotonicWriter } from './importers/draft-writer.ts'
import { importerNamed, type RecognisedFile, recognise } from './importers/form-choice.ts'
import type { Importer, ImportOptions } from './importers/importer.ts'
import { mergedInstruments } from './importers/instrument-guess.ts'
import { LeftOut } from './importers/left-out.ts'
import { LiquidationJoin } from './importers/liquidation-join.ts'
import { MergedStreams, type WaitingStream } from './importers/merged-streams.ts'
import { openRecording, type RecordingFile } from './importers/recording-file.ts'
import { KeptParts } from './kept-parts.ts'
import { type ByteSource, baseName } from './sources/byte-source.ts'
import { sourcesOf } from './sources/source-list.ts'
import { createTape } from './tape-writer.ts'

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
  const files = await openFiles(sources, request)
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
    const late = new LateEvents()
    const write = monotonicWriter(writer, join, late)
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
    const told = { lines, leftOut, badRows, late, unusedContracts: namesUnused(options) }
    return { forms, header, files: files.length, ...told }
  } finally {
    await streams.close()
    await writer.abandon()
  }
}

async function openFiles(sources: readonly ByteSource[], { from }: ImportRequest) {
  const wanted = from === undefined ? undefined : importerNamed(from).container
  const files: RecordingFile[] = []
  for (const source of sources) files.push(await openRecording(source, wanted))
  if (files.length === 0) throw new UserError('no file is given to import')
  return files
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
