import { UserError } from '../../user-error.ts'
import type { ByteSource } from '../sources/byte-source.ts'
import { unpackedBytes } from '../sources/unpacked-bytes.ts'
import { linesOf } from '../text-lines.ts'
import type { UnknownRecord } from '../unknown-record.ts'
import { csvCells, delimiterOf, isHeader } from './csv-cells.ts'
import { readEnvelope } from './line-envelope.ts'
import { openParquet } from './parquet-rows.ts'
import type { Sample } from './sample.ts'

/** Lines or rows of a file, in order. */
export interface RecordBatch {
  /** Number of the first of them in the file, counted from 1. */
  first: number
  /** Lines as they are; rows of Parquet as their cells. */
  records: readonly (string | readonly string[])[]
}

/** A file whose container is known: lines, a table or a HAR document. */
export interface RecordingFile {
  source: ByteSource
  sample: Sample
  /** What separates the cells of a table of text. */
  delimiter: string
  /** What a record is called in messages: `line` or `row`. */
  unit: 'line' | 'row'
  /** All records, the header of a table not among them. */
  batches(): AsyncGenerator<RecordBatch, void, undefined>
}

/** No exchange sends a longer frame; a file without line ends is not read to its end. */
const LINE_BYTES_MAX = 16 * 1024 * 1024

/** Opens a file by its first bytes and its first line; an empty one is a `UserError`. */
export async function openRecording(source: ByteSource): Promise<RecordingFile> {
  if (await isParquet(source)) return parquetFile(source)
  const { line, number } = await firstLine(source)
  const sample = sampleOf(source, line)
  const delimiter = delimiterOf(line)
  const isSkipped = sample.container === 'table' && sample.columns !== null
  async function* batches() {
    for await (const { first, lines } of linesOf(
      source.name,
      unpackedBytes(source),
      LINE_BYTES_MAX,
    )) {
      const skip = isSkipped && first <= number ? number - first + 1 : 0
      const records = skip > 0 ? lines.slice(skip) : lines
      if (records.length > 0) yield { first: first + skip, records }
    }
  }
  return { source, sample, delimiter, unit: 'line', batches }
}

async function isParquet(source: ByteSource): Promise<boolean> {
  if (source.size === null || source.size < 12) return false
  const chunks = source.stream()
  const { value } = await chunks.next()
  await chunks.return()
  return value !== undefined && Buffer.from(value.subarray(0, 4)).toString('latin1') === 'PAR1'
}

async function parquetFile(source: ByteSource): Promise<RecordingFile> {
  const { columns, batches } = await openParquet(source)
  const { name, base } = source
  const sample: Sample = {
    name,
    base,
    line: columns.join(','),
    container: 'table',
    columns,
    record: null,
    frame: null,
  }
  return { source, sample, delimiter: ',', unit: 'row', batches }
}

async function firstLine(source: ByteSource): Promise<{ line: string; number: number }> {
  const batches = linesOf(source.name, unpackedBytes(source), LINE_BYTES_MAX)
  try {
    for await (const { first, lines } of batches)
      for (const [i, text] of lines.entries()) {
        const line = text.replace(/^\ufeff/, '').trim()
        if (line === '') continue
        if (line !== '{') return { line, number: first + i }
        // A document that is written over many lines is told by those that follow.
        return {
          line: lines
            .slice(i, i + 20)
            .join('')
            .trim(),
          number: first + i,
        }
      }
  } finally {
    await batches.return()
  }
  throw new UserError(`${source.name}: is empty`)
}

function sampleOf({ name, base }: ByteSource, line: string): Sample {
  const bare: Sample = {
    name,
    base,
    line,
    container: 'lines',
    columns: null,
    record: null,
    frame: null,
  }
  if (/^\{\s*"log"\s*:\s*\{/.test(line)) return { ...bare, container: 'har' }
  // The archive's fills are lists, one a line.
  if (line.startsWith('["0x')) return bare
  if (line.startsWith('['))
    throw new UserError(`${name}: is a JSON list, give one record a line (jq -c '.[]' makes it)`)
  if (LINES.test(line)) return { ...bare, record: recordIn(line), frame: frameIn(line) }
  const cells = cellsIn(line)
  if (cells.length < 2) return bare
  return { ...bare, container: 'table', columns: isHeader(cells) ? cells : null }
}

/** JSON, alone or behind a clock. */
const LINES = /^(?:\d{13,19} |\d{4}-\d\d-\d\d\S* ?[\d:.]*\S*\s+)?\{/

function recordIn(line: string): UnknownRecord | null {
  try {
    return JSON.parse(line.slice(line.indexOf('{'))) as UnknownRecord
  } catch {
    return null
  }
}

function frameIn(line: string): UnknownRecord | null {
  try {
    return readEnvelope(line).frame
  } catch {
    return null
  }
}

function cellsIn(line: string): string[] {
  try {
    return csvCells(line, delimiterOf(line))
  } catch {
    return []
  }
}
