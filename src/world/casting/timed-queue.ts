/**
 * Things to do at their times: a binary heap, earliest first, then in the order they were put in.
 */
export class TimedQueue<T> {
  private readonly heap: { timeMs: number; turn: number; item: T }[] = []
  private turn = 0

  get size(): number {
    return this.heap.length
  }

  put(timeMs: number, item: T): void {
    const { heap } = this
    const entry = { timeMs, turn: this.turn++, item }
    let at = heap.length
    heap.push(entry)
    while (at > 0) {
      const up = (at - 1) >> 1
      const parent = heap[up]
      if (!parent || !this.before(entry, parent)) break
      heap[at] = parent
      at = up
    }
    heap[at] = entry
  }

  /** Takes out the first thing that is due at `timeMs`, or undefined. */
  take(timeMs: number): T | undefined {
    const first = this.heap[0]
    if (!first || first.timeMs > timeMs) return undefined
    const last = this.heap.pop()
    if (last && last !== first) this.sink(last)
    return first.item
  }

  private sink(entry: { timeMs: number; turn: number; item: T }): void {
    const { heap } = this
    let at = 0
    for (;;) {
      const left = heap[2 * at + 1]
      const right = heap[2 * at + 2]
      if (!left) break
      const pickRight = right !== undefined && this.before(right, left)
      const child = pickRight ? right : left
      if (!this.before(child, entry)) break
      heap[at] = child
      at = 2 * at + (pickRight ? 2 : 1)
    }
    heap[at] = entry
  }

  private before(
    a: { timeMs: number; turn: number },
    b: { timeMs: number; turn: number },
  ): boolean {
    return a.timeMs < b.timeMs || (a.timeMs === b.timeMs && a.turn < b.turn)
  }
}
