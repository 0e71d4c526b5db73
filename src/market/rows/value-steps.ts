/** Values that change at instants; one holds until the next. */
import type { UnpackedSection } from '../schema/schema.ts'
import { PackedRows } from './packed-rows.ts'

/** Rows of an instant and a value. */
export class ValueSteps extends PackedRows {
  constructor(section: UnpackedSection) {
    super(section, 2)
  }

  /** The value that holds at an instant; null before the first. */
  at(atMs: number): number | null {
    const row = this.lastUpTo(atMs)
    return row < 0 ? null : this.value(row)
  }

  /** Of all times; null without any. */
  highest(): number | null {
    let highest: number | null = null
    for (let row = 0; row < this.count; row++)
      if (highest === null || this.value(row) > highest) highest = this.value(row)
    return highest
  }

  value(row: number): number {
    return this.get(row, 1)
  }
}

/** Where nothing has happened yet. */
export const noSteps = () =>
  new ValueSteps({ key: 0, fact: 0, data: new Float64Array(), first: 0, length: 0 })

/** Where nothing ever happens. */
export const NO_STEPS = noSteps()
