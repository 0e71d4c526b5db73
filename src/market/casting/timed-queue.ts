/**
 * Items with the times they are due: a binary heap, earliest first, then in the order put in.
 */
export class TimedQueue<T> {
  private readonly heap: { timeMs: number; order: number; item: T }[] = []
  private order = 0

  get size(): number {
    return this.heap.length
  }

  put(timeMs: number, item: T): void {
    const { heap } = this
    const entry = { timeMs, order: this.order++, item }
    let at = heap.length
    heap.push(entry)
    while (at > 0) {
      const parentAt = (at - 1) >> 1
      const parent = heap[parentAt]
      if (!parent || !this.before(entry, parent)) break
      heap[at] = parent
      at = parentAt
    }
    heap[at] = entry
  }

  /** Takes out the first item that is due at `timeMs`, or undefined. */
  take(timeMs: number): T | undefined {
    return this.next(timeMs)?.item
  }

  /** The same with the time at which it was due. */
  next(timeMs: number): { readonly timeMs: number; readonly item: T } | undefined {
    const first = this.heap[0]
    if (!first || first.timeMs > timeMs) return undefined
    const last = this.heap.pop()
    if (last && last !== first) this.sink(last)
    return first
  }

  private sink(entry: { timeMs: number; order: number; item: T }): void {
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
    a: { timeMs: number; order: number },
    b: { timeMs: number; order: number },
  ): boolean {
    return a.timeMs < b.timeMs || (a.timeMs === b.timeMs && a.order < b.order)
  }
}
