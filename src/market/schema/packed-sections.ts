/**
 * Rows of numbers as one blob: what would be read as thousands of rows is read at once. The thread
 * that writes worlds packs them, so this file loads no package.
 */

/** Rows that belong together, one after another. */
export interface PackedSection {
  /** What they are of: the id of an account or of an instrument. */
  key: number
  /** What is the same for all of them. */
  fact: number
  values: readonly number[]
}

/** Where a section's values are in a blob. */
export interface UnpackedSection {
  key: number
  fact: number
  data: Float64Array
  /** Place of its first value, and how many there are. */
  first: number
  length: number
}

/** What is packed of a world: rows of other tables once more. */
export type PackedName =
  /** By trader, a section for each account; rows of timeMs, cash after. */
  | 'cash'
  /** By trader, a section for each account; rows of timeMs, what had come in less what went out. */
  | 'deposits'
  /**
   * By trader, a section for each instrument; rows of timeMs, sz, cost, fundingAfter,
   * fundingAtOpen and fundingIndex. The fact is the leverage that was set, negative where the
   * margin is isolated.
   */
  | 'holdings'
  /** By instrument, one section; rows of timeMs, the price at which holdings are valued. */
  | 'prices'
  /** One section; rows of trader, the time of its first row, of those who have any. */
  | 'firsts'
  /**
   * One section for each of these columns, in order of closing: trader, instrument, openMs, closeMs
   * (Infinity while open for ever), long (1 or 0), leverage, closedPnl.
   */
  | 'positions'
  /**
   * One section for each of these columns, in order of time: timeMs, instrument, long (1 or 0), sz,
   * notional, closedPnl, and the place of the account's liquidation before it, of any instrument
   * and of this one: -1 for none, its own place where the tape names no account.
   */
  | 'liquidations'

const HEADER_VALUES = 3

/** Header: how many sections, then of each its key, its fact and its length. */
export function packSections(sections: readonly PackedSection[]): Uint8Array {
  const lengths = sections.map(({ values }) => values.length)
  const header = [
    sections.length,
    ...sections.flatMap(({ key, fact, values }) => [key, fact, values.length]),
  ]
  const packed = new Float64Array(lengths.reduce((sum, length) => sum + length, header.length))
  packed.set(header)
  let at = header.length
  for (const { values } of sections) {
    packed.set(values, at)
    at += values.length
  }
  return new Uint8Array(packed.buffer)
}

/** The sections of a blob, in their order. */
export function unpackSections(blob: Uint8Array): UnpackedSection[] {
  const { buffer, byteOffset, byteLength } = blob.byteOffset % BYTES === 0 ? blob : blob.slice()
  const data = new Float64Array(buffer, byteOffset, byteLength / BYTES)
  const count = data[0] ?? 0
  const sections: UnpackedSection[] = []
  let first = 1 + count * HEADER_VALUES
  for (let at = 1; sections.length < count; at += HEADER_VALUES) {
    const [key, fact, length] = [data[at] as number, data[at + 1] as number, data[at + 2] as number]
    sections.push({ key, fact, data, first, length })
    first += length
  }
  return sections
}

const BYTES = Float64Array.BYTES_PER_ELEMENT
