/** Waiting times of reads that were due at a steady pace. */
export class Latencies {
  readonly listMs: number[] = []

  constructor(private readonly paceMs: number) {}

  /**
   * Adds how long a read waited, and for each read that was due meanwhile and could not be made
   * what it would have waited: a reader that stops asking while nobody answers would otherwise
   * count one long wait in a thousand short ones.
   */
  add(waitedMs: number): void {
    for (let ms = waitedMs; ms > 0; ms -= this.paceMs) this.listMs.push(ms)
  }
}

/** The 99th percentile; 0 of nothing. */
export function p99(listMs: readonly number[]): number {
  const sorted = listMs.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0
}
