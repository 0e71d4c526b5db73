/** Latencies of reads due at a steady pace. */
export class Latencies {
  readonly listMs: number[] = []

  constructor(private readonly paceMs: number) {}

  /**
   * Adds a latency, and one for each read that was due meanwhile: otherwise a reader that waits
   * would count one long wait among a thousand short ones (coordinated omission).
   */
  add(waitedMs: number): void {
    for (let ms = waitedMs; ms > 0; ms -= this.paceMs) this.listMs.push(ms)
  }
}

/** The 99th percentile; 0 for an empty list. */
export function p99(listMs: readonly number[]): number {
  const sorted = listMs.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0
}
