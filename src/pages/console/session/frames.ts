/** Drawing no more often than is seen: what arrives in between is shown together. */
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
let lastDrawnMs = 0

/** Nobody reads numbers that change more often; what moves by itself is drawn in each frame. */
const DRAWN_EVERY_MS = 80

/** Calls a task once when it is next drawn, however often it is asked for until then. */
export function inNextDrawing(task: () => void): void {
  if (waiting.size === 0) requestAnimationFrame(draw)
  waiting.add(task)
}

function draw(frameMs: number): void {
  if (frameMs - lastDrawnMs < DRAWN_EVERY_MS) {
    requestAnimationFrame(draw)
    return
  }
  lastDrawnMs = frameMs
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
    inNextDrawing(this.show)
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
