import { TimedQueue } from './timed-queue.ts'

/** A stretch of time whose items are put in order at once, when it comes. */
const STRETCH_MS = 2 ** 18

interface LaterItem<T> {
  timeMs: number
  item: T
}

/**
 * A timed queue for many items of which most are due much later: these wait unordered, in
 * stretches of time, so that the heap is of a few.
 */
export class CalendarQueue<T> {
  private readonly near = new TimedQueue<T>()
  private readonly later = new Map<number, LaterItem<T>[]>()
  /** The last stretch that is in the heap; none is before the first item is asked for. */
  private stretch = Number.NEGATIVE_INFINITY

  put(timeMs: number, item: T): void {
    const stretch = Math.floor(timeMs / STRETCH_MS)
    if (stretch <= this.stretch) return this.near.put(timeMs, item)
    const list = this.later.get(stretch)
    if (list) list.push({ timeMs, item })
    else this.later.set(stretch, [{ timeMs, item }])
  }

  /** Takes out the first item that is due at `timeMs`, or undefined. */
  take(timeMs: number): T | undefined {
    return this.next(timeMs)?.item
  }

  /** The same with the time at which it was due. */
  next(timeMs: number): { readonly timeMs: number; readonly item: T } | undefined {
    const due = Math.floor(timeMs / STRETCH_MS)
    while (this.near.size === 0 && this.stretch < due && this.later.size > 0) this.advance(due)
    return this.near.next(timeMs)
  }

  /** Puts the next stretch that has items into the heap, where it is due. */
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
