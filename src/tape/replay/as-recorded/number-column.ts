/** Numbers that are only added to, in a row: eight bytes each. */
export class NumberColumn {
  private values = new Float64Array(64)
  private count = 0

  get length(): number {
    return this.count
  }

  push(value: number): void {
    if (this.count === this.values.length) {
      const larger = new Float64Array(2 * this.count)
      larger.set(this.values)
      this.values = larger
    }
    this.values[this.count++] = value
  }

  /** The number at a place that there is. */
  at(place: number): number {
    return this.values[place] as number
  }

  /** Of numbers that do not fall: how many are less than another. */
  countBelow(limit: number): number {
    let [from, to] = [0, this.count]
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.at(middle) < limit) from = middle + 1
      else to = middle
    }
    return from
  }
}
