import { Readable, type Transform } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { UserError } from '../../platform/user-error.ts'
import { errorText } from '../compression.ts'
import { type HarStep, harSteps } from '../har/har-import.ts'
import type { UnknownRecord } from '../recorded-data.ts'
import { LZ4_MAGIC, lz4Frames } from '../sources/lz4-frames.ts'
import type { ByteSource } from '../sources/source-list.ts'
import { wholeZstdFrames } from '../sources/zstd-frames.ts'
import { type LineReading, lineBatches, linesOf, utf8Text } from '../text-lines.ts'
import { csvCells, delimiterOf, isHeader } from './csv-cells.ts'
import { openParquet } from './parquet-rows.ts'
import { isAcknowledgement, isGreeting, type RecordedLine, recordedLines } from './recorded-line.ts'
import {
  type Container,
  cellOf,
  checkContainer,
  HAR,
  LIST,
  listCells,
  OBJECT,
  type Sample,
  sampleOf,
} from './sample.ts'
import { TableRow, tableRows } from './table-row.ts'

const CHUNK_BYTES = 256 * 1024

/** Message that describes a table file and its conversion to Parquet by pandas. */
const asParquet = (what: string, reader: string): string =>
  `${what}: write it as Parquet first, such as with pandas: read_${reader}(file).to_parquet(other)`

/** Magic bytes of unsupported formats, with hints. */
const OTHER_FORMATS: readonly [magic: string, what: string][] = [
  ['504b0304', 'a zip archive: unzip it first'],
  ['425a68', 'packed with bzip2: unpack it first'],
  ['fd377a58', 'packed with xz: unpack it first'],
  ['377abcaf', 'a 7z archive: unpack it first'],
  ['4152524f5731', asParquet('a Feather or Arrow file', 'feather')],
  ['46454131', asParquet('a Feather file', 'feather')],
  ['ffffffff', 'a stream of Arrow: write it as Parquet or CSV first'],
  ['4f5243', asParquet('an ORC file', 'orc')],
  ['894844460d0a', asParquet('an HDF5 file', 'hdf')],
  ['934e554d5059', 'a NumPy file: write it as Parquet or CSV first'],
  ['53514c697465', 'a SQLite database: write the table as CSV first'],
  ['800495', 'a Python pickle: write it as Parquet or CSV first'],
  ['800595', 'a Python pickle: write it as Parquet or CSV first'],
  ...['01', '02', '03'].map((version): [string, string] => [
    `44424e${version}`,
    'a DBN file of Databento: write it as CSV first, such as with its package: ' +
      'DBNStore.from_file(file).to_csv(other)',
  ]),
]

/**
 * The decompressed bytes of a source in order: plain, gzip, zstd or lz4, by its first bytes and not
 * by its name. Memory does not grow with the source. A damaged one is a `UserError`.
 */
async function* unpackedBytes(source: ByteSource): AsyncGenerator<Buffer, void, undefined> {
  const chunks = source.stream()
  try {
    const first = await firstChunk(chunks)
    const magic = first.subarray(0, 6).toString('hex')
    let isFirst = true
    for await (const chunk of unpacked(magic, following(first, chunks))) {
      if (isFirst) checkFormat(source, chunk)
      isFirst = false
      yield chunk
    }
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${source.name}: is damaged: ${errorText(error)}`)
  } finally {
    await chunks.return()
  }
}

/** Refuses a format that is not read, by its first bytes once it is unpacked. */
function checkFormat({ name }: ByteSource, first: Buffer): void {
  const magic = first.subarray(0, 6).toString('hex')
  const foreign = OTHER_FORMATS.find(([start]) => magic.startsWith(start))
  if (foreign) throw new UserError(`${name}: is ${foreign[1]}`)
}

async function* unpacked(
  magic: string,
  chunks: AsyncGenerator<Buffer, void, undefined>,
): AsyncGenerator<Buffer, void, undefined> {
  const isLz4 = magic.startsWith(LZ4) || /^5.2a4d18/.test(magic)
  if (isLz4) return yield* lz4Frames(chunks)
  const transform = transformFor(magic)
  if (transform === null) return yield* chunks
  const input = Readable.from(magic.startsWith(ZSTD) ? wholeZstdFrames(chunks) : chunks)
  input.on('error', (error) => transform.destroy(error)).pipe(transform)
  try {
    yield* transform
  } finally {
    input.destroy()
    transform.destroy()
  }
}

const LZ4 = Buffer.from(Uint32Array.of(LZ4_MAGIC).buffer).toString('hex')

const ZSTD = '28b52ffd'

function transformFor(magic: string): Transform | null {
  if (magic.startsWith(ZSTD)) return createZstdDecompress({ chunkSize: CHUNK_BYTES })
  return magic.startsWith('1f8b') ? createGunzip({ chunkSize: CHUNK_BYTES }) : null
}

/** Reads enough for detection, where there is as much. */
async function firstChunk(chunks: AsyncGenerator<Uint8Array>): Promise<Buffer> {
  let first = Buffer.alloc(0)
  while (first.length < 6) {
    const { done, value } = await chunks.next()
    if (done) break
    first = Buffer.concat([first, value])
  }
  return first
}

async function* following(
  first: Buffer,
  chunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  if (first.length > 0) yield first
  for await (const chunk of chunks)
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}

/** A line, a row of a table, or a step of a HAR document. */
export type ImportRecord = RecordedLine | TableRow | HarStep

/** Lines or rows of a file, in order. */
export interface RecordBatch {
  /** Number of the first of them in the file, counted from 1. */
  first: number
  /** Rows of a table, or unparsed lines. */
  records: readonly ImportRecord[]
}

/** A file whose container is known: lines, a table or a HAR document. */
export interface RecordingFile {
  source: ByteSource
  sample: Sample
  /** Delimiter of a text table. */
  delimiter: string
  /** Unit of a record in messages: `line` or `row`. */
  unit: 'line' | 'row' | 'step' | 'item'
  /** All records, without the header of a table. */
  batches(): AsyncGenerator<RecordBatch, void, undefined>
}

/** Longer than any exchange's frame; a file without line ends is not read to its end. */
const LINE_BYTES_MAX = 16 * 1024 * 1024

/**
 * Opens a file by its first bytes and its first line. `wanted` is the container of the form named
 * for it. An empty or unsupported file is a `UserError`.
 */
export async function openRecording(
  source: ByteSource,
  wanted?: Container,
): Promise<RecordingFile> {
  if (await isParquet(source)) return parquetFile(source, wanted)
  const { line, number } = await firstLine(source)
  if (isDocument(line)) return documentFile(source, wanted)
  const sample = sampleOf(source, line, wanted)
  checkContainer(sample, wanted)
  const isLists = line.startsWith('[') && sample.container === 'table'
  const delimiter = isLists ? ',' : delimiterOf(line)
  if (sample.container === 'har')
    return { source, sample, delimiter, unit: 'step', batches: () => harBatches(source) }
  const isSkipped = sample.container === 'table' && sample.columns !== null
  const reading: LineReading<ImportRecord> =
    sample.container === 'lines'
      ? recordedLines
      : (...bytes) => (isLists ? listRows : tableRows)(utf8Text(...bytes), delimiter)
  async function* batches(): AsyncGenerator<RecordBatch, void, undefined> {
    const bytes = unpackedBytes(source)
    const read = lineBatches(source.name, bytes, LINE_BYTES_MAX, (bytes, name, first) =>
      reading(first === 1 ? withoutMark(bytes) : bytes, name, first),
    )
    for await (const { first, lines } of read) {
      const skip = isSkipped && first <= number ? number - first + 1 : 0
      const records = skip > 0 ? lines.slice(skip) : lines
      if (records.length > 0) yield { first: first + skip, records }
    }
  }
  return { source, sample, delimiter, unit: 'line', batches }
}

const MARK = Buffer.from('\ufeff')

/** Strips a byte order mark. */
const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, MARK.length).equals(MARK) ? bytes.subarray(MARK.length) : bytes

/** A document is one value, which is held in memory. */
const DOCUMENT_BYTES_MAX = 256 * 1024 * 1024

async function* harBatches(source: ByteSource): AsyncGenerator<RecordBatch, void, undefined> {
  const document = await documentIn(source, 'a HAR document')
  try {
    yield { first: 1, records: harSteps(document) }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new UserError(`${source.name}: ${error.message}`)
  }
}

async function documentIn(source: ByteSource, what: string): Promise<unknown> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of unpackedBytes(source)) {
    chunks.push(chunk)
    length += chunk.length
    if (length > DOCUMENT_BYTES_MAX)
      throw new UserError(`${source.name}: is ${what} of more than 256 MiB: export less`)
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch {
    throw new UserError(`${source.name}: is ${what} that is not whole JSON`)
  }
}

/** Beginning of a JSON document that is not one record a line. */
const isDocument = (beginning: string): boolean =>
  LIST.test(beginning) || (OBJECT.test(beginning) && !HAR.test(beginning))

/**
 * A JSON list: of lists, which are rows without a header, or of objects, which are records. An
 * object over several lines is one record.
 */
async function documentFile(source: ByteSource, wanted?: Container): Promise<RecordingFile> {
  const what =
    "a JSON document (jq -c '.[]' makes one record a line of several lists, jq -c . of " +
    'several objects)'
  const items = async () => {
    const document = await documentIn(source, what)
    return Array.isArray(document) ? (document as unknown[]) : [document]
  }
  const [first] = await items()
  const isTable = Array.isArray(first)
  const sample = sampleOf(source, JSON.stringify(first), wanted)
  checkContainer(sample, wanted)
  const recordOf = (item: unknown): ImportRecord => {
    if (isTable && Array.isArray(item)) return TableRow.of(item.map(cellOf))
    const isRecord = !isTable && typeof item === 'object' && item !== null && !Array.isArray(item)
    return isRecord ? { clockMs: null, value: item as UnknownRecord } : JSON.stringify(item)
  }
  async function* batches(): AsyncGenerator<RecordBatch, void, undefined> {
    const all = await items()
    for (let at = 0; at < all.length; at += BATCH_ITEMS)
      yield { first: at + 1, records: all.slice(at, at + BATCH_ITEMS).map(recordOf) }
  }
  return { source, sample, delimiter: ',', unit: 'item', batches }
}

const BATCH_ITEMS = 4096

/** Rows from lines that are lists; other lines stay unchanged. */
const listRows = (text: string): (TableRow | string)[] =>
  text.split('\n').map((line) => {
    const cells = listCells(line)
    return cells === null ? line : TableRow.of(cells)
  })

async function isParquet(source: ByteSource): Promise<boolean> {
  if (source.size === null || source.size < 12) return false
  const chunks = source.stream()
  const { value } = await chunks.next()
  await chunks.return()
  return value !== undefined && Buffer.from(value.subarray(0, 4)).toString('latin1') === 'PAR1'
}

async function parquetFile(source: ByteSource, wanted?: Container): Promise<RecordingFile> {
  const { columns, batches } = await openParquet(source)
  const { name, base } = source
  const line = columns.join(',')
  const sample: Sample = {
    name,
    base,
    line,
    container: 'table',
    columns,
    record: null,
    frame: null,
  }
  checkContainer(sample, wanted)
  return { source, sample, delimiter: ',', unit: 'row', batches }
}

async function firstLine(source: ByteSource): Promise<{ line: string; number: number }> {
  const chunks = unpackedBytes(source)
  try {
    const head = (await chunks.next()).value || undefined
    const beginning =
      head
        ?.subarray(0, 4096)
        .toString()
        .replace(/^\ufeff/, '') ?? ''
    if (HAR.test(beginning) || isDocument(beginning)) return { line: beginning, number: 1 }
    const before: FirstLine[] = []
    const acknowledged: FirstLine[] = []
    for await (const { first, lines } of linesOf(source.name, joined(head, chunks), LINE_BYTES_MAX))
      for (const [i, text] of lines.entries()) {
        const line = text.replace(/^\ufeff/, '').trim()
        if (line === '' || isGreeting(line)) continue
        const met = { line, number: first + i }
        if (acknowledged.length < ACKNOWLEDGED_MAX && isAcknowledgement(line)) {
          acknowledged.push(met)
          continue
        }
        if (before.length === 0 ? !isPreamble(line) : isTableHeader(line)) return met
        before.push(met)
        if (before.length > PREAMBLE_MAX) return before[0] ?? met
      }
    const [known] = [...before, ...acknowledged]
    if (known) return known
  } finally {
    await chunks.return()
  }
  throw new UserError(`${source.name}: is empty`)
}

/** The line that determines a file's form. */
interface FirstLine {
  line: string
  number: number
}

/** So many answers to commands may stand before the first line that tells the form. */
const ACKNOWLEDGED_MAX = 20

/** Maximum number of lines before the header of a table, such as the exporter's name. */
const PREAMBLE_MAX = 5

const cellsIn = (line: string): string[] => {
  try {
    return csvCells(line, delimiterOf(line))
  } catch {
    return []
  }
}

/** Whether a first line may be an exporter's preamble. */
const isPreamble = (line: string): boolean => !/^[[{]/.test(line) && cellsIn(line).length === 1

const isTableHeader = (line: string): boolean => {
  const cells = cellsIn(line)
  return cells.length > 1 && isHeader(cells) && !/[[{]/.test(line)
}

async function* joined(head: Buffer | undefined, chunks: AsyncIterable<Buffer>) {
  if (head) yield head
  yield* chunks
}
