import type { AsyncBuffer, Compressors, FileMetaData, ParquetParsers } from 'hyparquet'
import { UserError } from '../../platform/user-error.ts'
import { errorText } from '../compression.ts'
import type { ByteSource } from '../sources/source-list.ts'
import { TableRow } from './table-row.ts'

/** A Parquet file with known columns. */
export interface ParquetTable {
  columns: string[]
  /** The rows in batches of a few thousand. */
  batches(): AsyncGenerator<{ first: number; records: TableRow[] }, void, undefined>
}

/** A decompressed row group is held in memory. */
const GROUP_BYTES_MAX = 512 * 1024 * 1024
const GROUP_ROWS_MAX = 4_000_000
const BATCH_ROWS = 4096

/**
 * Opens a Parquet file by its footer; row groups are read in sequence.
 *
 * Timestamps become whole microseconds. A damaged file, or a remote one without range requests, is
 * a `UserError`.
 */
export async function openParquet(source: ByteSource): Promise<ParquetTable> {
  const file = asyncBuffer(source)
  const { parquetMetadataAsync, parquetSchema } = await import('hyparquet')
  const metadata = await readable(source, () => parquetMetadataAsync(file))
  const elements = parquetSchema(metadata).children.map(({ element }) => element)
  const columns = elements.map(({ name }) => name)
  if (columns.length === 0) throw new UserError(`${source.name}: has no column`)
  const texts = elements.map(({ type }) => (type === 'FLOAT' ? singleText : cellText))
  return { columns, batches: () => rows(source, file, metadata, columns, texts) }
}

/** The shortest decimal of a 32-bit float: as a 64-bit one it has digits of noise. */
function singleText(value: unknown): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return cellText(value)
  for (let digits = SINGLE_DIGITS.least; digits < SINGLE_DIGITS.most; digits++) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === value) return String(shorter)
  }
  return String(Number(value.toPrecision(SINGLE_DIGITS.most)))
}

/** Digits that every 32-bit float preserves, and digits that distinguish all of them. */
const SINGLE_DIGITS = { least: 6, most: 9 }

async function* rows(
  source: ByteSource,
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: string[],
  texts: readonly ((value: unknown) => string)[],
): AsyncGenerator<{ first: number; records: TableRow[] }, void, undefined> {
  const { parquetReadObjects } = await import('hyparquet')
  const compressors = await boundedCompressors()
  let rowStart = 0
  for (const { num_rows: count, total_byte_size: bytes } of metadata.row_groups) {
    if (Number(bytes) > GROUP_BYTES_MAX || Number(count) > GROUP_ROWS_MAX)
      throw new UserError(
        `${source.name}: has a row group of ${count} rows, ${bytes} bytes; the most are ` +
          `${GROUP_ROWS_MAX} and ${GROUP_BYTES_MAX}: write it with smaller row groups`,
      )
    const rowEnd = rowStart + Number(count)
    const wanted = { file, metadata, compressors, parsers: PARSERS, columns, rowStart, rowEnd }
    const group = await readable(source, () => parquetReadObjects(wanted))
    if (group.length !== Number(count))
      throw new UserError(`${source.name}: is damaged: ${group.length} of ${count} rows`)
    for (let at = 0; at < group.length; at += BATCH_ROWS) {
      const batch = group.slice(at, at + BATCH_ROWS)
      const records = batch.map((row) =>
        TableRow.of(columns.map((name, at) => (texts[at] ?? cellText)(row[name]))),
      )
      yield { first: rowStart + at + 1, records }
    }
    rowStart = rowEnd
  }
}

/** Enforces a limit: a page's declared length is untrusted. */
async function boundedCompressors(): Promise<Compressors> {
  const { compressors } = await import('hyparquet-compressors')
  return Object.fromEntries(
    Object.entries(compressors).map(([name, unpack]) => [
      name,
      (input: Uint8Array, length: number) => {
        if (length > GROUP_BYTES_MAX) throw new Error(`a page of ${length} bytes`)
        return unpack(input, length)
      },
    ]),
  )
}

/** Times in whole microseconds, whatever the file's unit. */
const PARSERS: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (value) => value * 1000n,
  timestampFromMicroseconds: (value) => value,
  timestampFromNanoseconds: (value) => value / 1000n,
}

function cellText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value, plain) : String(value)
}

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

function asyncBuffer(source: ByteSource): AsyncBuffer {
  if (source.size === null)
    throw new UserError(`${source.name}: its server does not say how long it is: download it first`)
  const byteLength = source.size
  return {
    byteLength,
    async slice(start, end = byteLength) {
      const bytes = await source.slice(start < 0 ? byteLength + start : start, end)
      return new Uint8Array(bytes).buffer
    },
  }
}

async function readable<T>({ name }: ByteSource, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${name}: is a damaged Parquet file (${errorText(error)})`)
  }
}
