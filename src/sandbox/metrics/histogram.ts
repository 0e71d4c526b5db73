/** Counts of observed values by fixed bounds: what a latency is kept in. */
export class Histogram {
  /** How many values were above the previous bound and not above this one; last, above all. */
  readonly counts: Float64Array
  sum = 0

  /** @param bounds ascending; of the same unit as the values */
  constructor(readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1)
  }

  observe(value: number): void {
    const { bounds, counts } = this
    let at = 0
    while (at < bounds.length && value > (bounds[at] as number)) at++
    counts[at] = (counts[at] as number) + 1
    this.sum += value
  }

  /** For each bound how many values were not above it, and last how many there were. */
  get cumulativeCounts(): number[] {
    let sum = 0
    return [...this.counts].map((count) => {
      sum += count
      return sum
    })
  }
}
