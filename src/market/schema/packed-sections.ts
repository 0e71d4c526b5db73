/**
 * Rows of numbers as one blob: thousands of rows are read at once. The thread that writes worlds
 * packs them, so this file loads no package.
 */

/** Rows of one key, concatenated. */
export interface PackedSection {
  /** Id of an account or an instrument. */
  key: number
  /** Value common to all of them. */
  fact: number
  values: readonly number[]
}

/** Location of a section's values in a blob. */
export interface UnpackedSection {
  key: number
  fact: number
  data: Float64Array
  /** Index of its first value, and their number. */
  first: number
  length: number
}

/** Packed tables: copies of rows of other tables. */
export type PackedName =
  /** By trader, a section for each account; rows of timeMs, cash after. */
  | 'cash'
  /** By trader, a section for each account; rows of timeMs, net deposits. */
  | 'deposits'
  /**
   * By trader, a section for each instrument; rows of timeMs, sz, cost, fundingAfter, fundingAtOpen
   * and fundingIndex. The fact is the leverage, negative on isolated margin.
   */
  | 'holdings'
  /** By instrument, one section; rows of timeMs, the price that values holdings. */
  | 'prices'
  /** One section; rows of trader, the time of its first row, for traders with any. */
  | 'firsts'
  /**
   * One section for each of these columns, in order of closing: trader, instrument, openMs, closeMs
   * (Infinity for positions that never close), long (1 or 0), leverage, closedPnl.
   */
  | 'positions'
  /**
   * One section for each of these columns, in order of time: timeMs, instrument, long (1 or 0), sz,
   * notional, closedPnl, and the indexes of the account's previous liquidation, of any instrument
   * and of this one: -1 for none, its own index where the tape names no account.
   */
  | 'liquidations'

const HEADER_VALUES = 3

/** Header: the number of sections, then each one's key, fact and length. */
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
