/** Tasks in order of their time, then of setting: a binary heap. */
export class AlarmQueue {
  private heap: Alarm[] = []
  private closed = false
  private addedCount = 0

  /** @param what what it is for, in words; the result cancels the alarm. */
  add(timeMs: number, task: () => void, what = 'alarm'): () => void {
    const alarm: Alarm = { timeMs, order: this.addedCount++, task, what }
    if (this.closed) return () => {}
    this.heap.push(alarm)
    this.siftUp(this.heap.length - 1)
    return () => {
      alarm.task = null
    }
  }

  /** Forgets all of them, and takes no more. */
  close(): void {
    this.closed = true
    this.heap = []
  }

  /** When the next one is due; undefined when there is none. */
  nextMs(): number | undefined {
    while (this.heap[0]?.task === null) this.pop()
    return this.heap[0]?.timeMs
  }

  /** Removes and returns the next task that is due by `timeMs`. */
  takeDue(timeMs: number): { timeMs: number; task: () => void; what: string } | undefined {
    const next = this.nextMs()
    if (next === undefined || next > timeMs) return undefined
    const { task, what } = this.pop() as Alarm
    return { timeMs: next, task: task as () => void, what }
  }

  private pop(): Alarm | undefined {
    const first = this.heap[0]
    const last = this.heap.pop()
    if (last !== undefined && this.heap.length > 0) {
      this.heap[0] = last
      this.siftDown(0)
    }
    return first
  }

  private siftUp(at: number): void {
    let child = at
    while (child > 0) {
      const parent = (child - 1) >> 1
      if (!this.swapIfBefore(child, parent)) return
      child = parent
    }
  }

  private siftDown(at: number): void {
    let parent = at
    for (;;) {
      const left = 2 * parent + 1
      const right = left + 1
      const least = right < this.heap.length && this.before(right, left) ? right : left
      if (least >= this.heap.length || !this.swapIfBefore(least, parent)) return
      parent = least
    }
  }

  private swapIfBefore(a: number, b: number): boolean {
    if (!this.before(a, b)) return false
    const first = this.heap[a] as Alarm
    this.heap[a] = this.heap[b] as Alarm
    this.heap[b] = first
    return true
  }

  private before(a: number, b: number): boolean {
    const [first, second] = [this.heap[a] as Alarm, this.heap[b] as Alarm]
    return (
      first.timeMs < second.timeMs || (first.timeMs === second.timeMs && first.order < second.order)
    )
  }
}

interface Alarm {
  timeMs: number
  order: number
  /** null once cancelled. */
  task: (() => void) | null
  what: string
}
