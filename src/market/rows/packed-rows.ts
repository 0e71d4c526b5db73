/** What is packed in a world (src/market/schema/packed-sections.ts). */

import { type PackedName, packed, type UnpackedSection, unpackSections } from '../schema/schema.ts'
import { perWorld } from '../world/per-world.ts'
import { columns } from './columns.ts'

export const packedRows = perWorld(({ db }) => {
  const one = columns({ blob: packed.columns }).prepare<[name: PackedName, key: number]>(
    db,
    'from packed where name = ? and key = ?',
  )
  return {
    /** None for who has done nothing. */
    sections(name: PackedName, key: number): UnpackedSection[] {
      const row = one.get(name, key)
      return row ? unpackSections(row.blob) : []
    },
  }
})

/** Rows that may be added without moving those before. */
const SPARE_ROWS = 16

/** Rows of a section, in order of their first value, which is an instant. */
export class PackedRows {
  count: number
  /** Where its values are: from `first` on, `width` of them to a row. */
  data: Float64Array
  first: number

  constructor(
    { data, first, length }: UnpackedSection,
    readonly width: number,
  ) {
    this.data = data
    this.first = first
    this.count = length / width
  }

  /** Adds a row that is not earlier than any other. */
  append(...row: number[]): void {
    const { first, count, width, data } = this
    // What is packed lies among other sections: they are left as they are.
    if (first > 0 || (count + 1) * width > data.length) this.move()
    this.data.set(row, count * width)
    this.count++
  }

  /** Leaves out the rows after an instant. */
  cut(untilMs: number): this {
    this.count = this.lastUpTo(untilMs) + 1
    return this
  }

  private move(): void {
    const { data, first, count, width } = this
    this.data = new Float64Array(Math.ceil(1.25 * (count + SPARE_ROWS)) * width)
    this.data.set(data.subarray(first, first + count * width))
    this.first = 0
  }

  /** The last row up to an instant; -1 when there is none. */
  lastUpTo(atMs: number): number {
    const { data, first, width } = this
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((data[first + middle * width] as number) <= atMs) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  /**
   * The same for instants that are a step apart, into `rows`. Written without calls, because whole
   * searches run before it is compiled.
   */
  lastUpToEach(firstMs: number, stepMs: number, rows: Int32Array): void {
    const { data, width, first } = this
    const end = first + this.count * width
    let row = this.lastUpTo(firstMs)
    let next = first + (row + 1) * width
    for (let at = 0, atMs = firstMs; at < rows.length; at++, atMs += stepMs) {
      while (next < end && (data[next] as number) <= atMs) {
        next += width
        row++
      }
      rows[at] = row
    }
  }

  /** Infinity after the last row. */
  timeMs(row: number): number {
    return row < this.count ? this.get(row, 0) : Number.POSITIVE_INFINITY
  }

  protected get(row: number, place: number): number {
    return this.data[this.first + row * this.width + place] as number
  }
}
