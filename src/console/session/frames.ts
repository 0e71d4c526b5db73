/** Drawing no more often than the screen does: what arrives in between is shown together. */
import { batch, type Signal, signal } from '@preact/signals'

/** Calls a task in each frame while the page is shown; the result ends it. */
export function onFrame(task: () => void): () => void {
  let handle = requestAnimationFrame(run)
  function run() {
    task()
    handle = requestAnimationFrame(run)
  }
  return () => cancelAnimationFrame(handle)
}

const waiting = new Set<() => void>()

/** Calls a task once in the next frame, however often it is asked for until then. */
export function inNextFrame(task: () => void): void {
  if (waiting.size === 0) requestAnimationFrame(runWaiting)
  waiting.add(task)
}

function runWaiting(): void {
  const tasks = [...waiting]
  waiting.clear()
  batch(() => {
    for (const task of tasks) task()
  })
}

/** The newest of what arrives, newest first and so many at most. */
export class Newest<T> {
  readonly shown: Signal<readonly T[]> = signal([])
  private arrived: T[] = []

  constructor(private readonly limit: number) {}

  /** Adds what came, oldest first. */
  add(items: readonly T[]): void {
    this.arrived.push(...items.slice(-this.limit))
    // A page that nobody looks at has no frames.
    if (this.arrived.length > 2 * this.limit) this.arrived = this.arrived.slice(-this.limit)
    inNextFrame(this.show)
  }

  clear(): void {
    this.arrived = []
    this.shown.value = []
  }

  private readonly show = () => {
    const fresh = this.arrived.reverse()
    this.arrived = []
    this.shown.value = [...fresh, ...this.shown.value].slice(0, this.limit)
  }
}
