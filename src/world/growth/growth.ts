import type { LineOrder } from './line-order.ts'

/** A line being grown by the one thread that writes its file; others read it meanwhile. */
export class Growth {
  private constructor(private doneMs: number) {}

  /**
   * Opens the file of a line, or makes it: a copy of the base, cut at `t0Ms`. What a process left
   * half-grown is gone on from.
   */
  static open(order: LineOrder): Growth {
    return new Growth(order.t0Ms)
  }

  /** Everything up to this instant is in the file, and never changes. */
  get grownToMs(): number {
    return this.doneMs
  }

  /**
   * Grows the line up to an instant or some seconds beyond it; answers `grownToMs` after each
   * commit, where it may be left and gone on with later.
   */
  *grow(untilMs: number): Generator<number, void> {
    while (this.doneMs < untilMs) {
      this.doneMs = Math.min(untilMs, this.doneMs + 60_000)
      yield this.doneMs
    }
  }

  close(): void {}
}
