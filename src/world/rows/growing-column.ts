/** A column of numbers to which more are added: those before are not moved each time. */
export class GrowingColumn {
  /** All of them. */
  values: Float64Array
  /** Room of its own; what it began with may lie among other columns. */
  private room: Float64Array | null = null

  constructor(first: Float64Array) {
    this.values = first
  }

  append(more: readonly number[]): void {
    const { length } = this.values
    const count = length + more.length
    if (this.room === null || this.room.length < count) {
      this.room = new Float64Array(Math.ceil(count * SPARE))
      this.room.set(this.values)
    }
    this.room.set(more, length)
    this.values = this.room.subarray(0, count)
  }
}

/** How much more room is taken than is needed. */
const SPARE = 1.25
