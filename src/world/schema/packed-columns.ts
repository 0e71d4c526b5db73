/**
 * Columns of numbers as one blob: what would be read as thousands of rows is read at once. The
 * thread that writes worlds packs them, so this file loads no package.
 */

/** Columns that belong together; each has a length of its own. */
export interface PackedSection {
  /** What they are of: the id of an account or of an instrument. */
  key: number
  columns: readonly ArrayLike<number>[]
}

/** A section as it is read: views of the blob. */
export interface UnpackedSection {
  key: number
  columns: Float64Array[]
}

/** What is packed of a world: rows of other tables once more. */
export type PackedName =
  /** By trader, a section for each account: timeMs, cash after. */
  | 'cash'
  /** By trader, a section for each account: timeMs, what had come in less what had gone out. */
  | 'deposits'
  /**
   * By trader, a section for each instrument: timeMs, sz, cost, fundingAfter, fundingAtOpen,
   * fundingIndex, and of one row each leverage and isolated (1 or 0).
   */
  | 'holdings'
  /** By instrument, one section: timeMs, the price at which holdings are valued from then on. */
  | 'prices'
  /**
   * One section, in order of closing: trader, instrument, openMs, closeMs (Infinity while open for
   * ever), long (1 or 0), leverage, closedPnl.
   */
  | 'positions'

/** Header: how many sections, then of each its key, its columns and their lengths. */
export function packSections(sections: readonly PackedSection[]): Uint8Array {
  const header = [sections.length]
  let length = 0
  for (const { key, columns } of sections) {
    header.push(key, columns.length, ...columns.map((column) => column.length))
    for (const column of columns) length += column.length
  }
  const packed = new Float64Array(header.length + length)
  packed.set(header)
  let at = header.length
  for (const { columns } of sections)
    for (const column of columns) {
      packed.set(column, at)
      at += column.length
    }
  return new Uint8Array(packed.buffer)
}

/** The sections of a blob, in their order. */
export function unpackSections(blob: Uint8Array): UnpackedSection[] {
  const { buffer, byteOffset, byteLength } = byteAligned(blob)
  const packed = new Float64Array(buffer, byteOffset, byteLength / BYTES)
  const headers: { key: number; lengths: Float64Array }[] = []
  let at = 1
  for (let left = packed[0] ?? 0; left > 0; left--) {
    const [key, count] = [packed[at] as number, packed[at + 1] as number]
    headers.push({ key, lengths: packed.subarray(at + 2, at + 2 + count) })
    at += 2 + count
  }
  return headers.map(({ key, lengths }) => {
    const columns = Array.from(lengths, (length) => {
      at += length
      return packed.subarray(at - length, at)
    })
    return { key, columns }
  })
}

const BYTES = Float64Array.BYTES_PER_ELEMENT

const byteAligned = (blob: Uint8Array) => (blob.byteOffset % BYTES === 0 ? blob : blob.slice())
