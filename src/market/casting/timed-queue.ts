/** Items with due times: a binary heap, earliest first, then in insertion order. */
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

  /** Removes and returns the first item due at `timeMs`, or undefined. */
  take(timeMs: number): T | undefined {
    return this.next(timeMs)?.item
  }

  /** The same with its due time. */
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

/** Length of a bucket of the calendar queue, sorted when it is reached. */
const STRETCH_MS = 2 ** 18

interface LaterItem<T> {
  timeMs: number
  item: T
}

/**
 * A timed queue for many items of which most are due much later: these wait unsorted in buckets of
 * time, which keeps the heap small.
 */
export class CalendarQueue<T> {
  private readonly near = new TimedQueue<T>()
  private readonly later = new Map<number, LaterItem<T>[]>()
  /** Last bucket in the heap; none before the first read. */
  private stretch = Number.NEGATIVE_INFINITY

  put(timeMs: number, item: T): void {
    const stretch = Math.floor(timeMs / STRETCH_MS)
    if (stretch <= this.stretch) return this.near.put(timeMs, item)
    const list = this.later.get(stretch)
    if (list) list.push({ timeMs, item })
    else this.later.set(stretch, [{ timeMs, item }])
  }

  /** Removes and returns the first item due at `timeMs`, or undefined. */
  take(timeMs: number): T | undefined {
    return this.next(timeMs)?.item
  }

  /** The same with its due time. */
  next(timeMs: number): { readonly timeMs: number; readonly item: T } | undefined {
    const due = Math.floor(timeMs / STRETCH_MS)
    while (this.near.size === 0 && this.stretch < due && this.later.size > 0) this.advance(due)
    return this.near.next(timeMs)
  }

  /** Moves the next non-empty bucket into the heap, if it is due. */
  private advance(due: number): void {
    const known = this.stretch + 1
    const next = this.later.has(known) ? known : least(this.later.keys())
    this.stretch = Math.min(next, due)
    for (const { timeMs, item } of this.later.get(this.stretch) ?? []) this.near.put(timeMs, item)
    this.later.delete(this.stretch)
  }
}

function least(numbers: Iterable<number>): number {
  let found = Number.POSITIVE_INFINITY
  for (const one of numbers) found = Math.min(found, one)
  return found
}
