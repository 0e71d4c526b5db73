/**
 * The one thread, shared: work is cut into slices, and its owners take turns.
 *
 * In each round of the event loop new work goes first, one piece of each owner after another, and
 * then one owner's longer work goes on. So a short question of one owner waits for a few slices at
 * most, however much another one asks for. What the runtime itself does in a round does not count:
 * a question that comes while thousands of sockets close is answered at once.
 */

import { deferred } from '../platform/deferred.ts'
import { hostClock, type SystemClock } from './system-clock.ts'

/**
 * Work that yields wherever it may be interrupted, at least every millisecond or so. A promise that
 * it yields is awaited before it goes on.
 */
export type Slices<T> = Generator<undefined | Promise<unknown>, T, void>

/** Work that is done in one slice. */
// biome-ignore lint/correctness/useYield: that is its point.
export function* oneSlice<T>(task: () => T): Slices<T> {
  return task()
}

/** Whether a value is work that is yet to be done. */
export const isSlices = (value: unknown): value is Slices<unknown> =>
  typeof (value as { next?: unknown } | null | undefined)?.next === 'function'

/** The value of a promise, as work that waits for it. */
export function* awaited<T>(promise: Promise<T>): Slices<T> {
  let value: { of: T } | undefined
  yield promise.then((of) => {
    value = { of }
  })
  return (value as { of: T } | undefined as { of: T }).of
}

/** What follows from an answer, in slices where the answer is given in slices. */
export function mapSlices<T, U>(answer: T | Slices<T>, next: (answer: T) => U): U | Slices<U> {
  return isSlices(answer) ? mapped(answer as Slices<T>, next) : next(answer as T)
}

function* mapped<T, U>(answer: Slices<T>, next: (answer: T) => U): Slices<U> {
  return next(yield* answer)
}

interface Task {
  owner: object
  work: Slices<unknown>
  /** An error to be thrown into the work where it waits. */
  failure?: { error: unknown }
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** How long new work may hold the thread in one round, and longer work after it. */
const BUDGET_MS = 2

export class Turns {
  private readonly started = new OwnerQueue<Task>()
  private readonly fresh = new OwnerQueue<Task>()
  private isRoundOpen = false
  /** So long new work has held the thread in this round. */
  private usedMs = 0

  constructor(
    private readonly systemClock: SystemClock = hostClock,
    private readonly budgetMs = BUDGET_MS,
  ) {}

  /** Pieces of work that wait for their turn. */
  get waitingCount(): number {
    return this.fresh.size + this.started.size
  }

  /**
   * Does work in the owner's turns. It begins at once, and the answer is there at once when one
   * slice is enough; work that has to wait keeps the order of its owner.
   */
  run<T>(owner: object, work: Slices<T>): T | Promise<T> {
    this.openRound()
    if (this.fresh.has(owner) || this.usedMs >= this.budgetMs)
      return this.enqueue(this.fresh, owner, work)
    const startMs = this.systemClock.monotonicMs()
    try {
      const step = this.slice(work, startMs + this.budgetMs - this.usedMs)
      if (step.done) return step.value
      return this.enqueue(this.started, owner, work, step.value)
    } finally {
      this.usedMs += this.systemClock.monotonicMs() - startMs
    }
  }

  /** The same for work that nobody waits for: it does not hold up what comes in this round. */
  runLater<T>(owner: object, work: Slices<T>): Promise<T> {
    this.openRound()
    return this.enqueue(this.started, owner, work)
  }

  private enqueue<T>(
    queue: OwnerQueue<Task>,
    owner: object,
    work: Slices<T>,
    waiting?: undefined | Promise<unknown>,
  ): Promise<T> {
    const { promise, resolve, reject } = deferred<T>()
    const task: Task = { owner, work, resolve: resolve as (value: unknown) => void, reject }
    if (waiting) this.park(task, waiting)
    else queue.add(task)
    return promise
  }

  /** The round ends when everything that has arrived was looked at. */
  private openRound(): void {
    if (this.isRoundOpen) return
    this.isRoundOpen = true
    this.usedMs = 0
    this.systemClock.runSoon(() => this.nextRound())
  }

  private nextRound(): void {
    this.isRoundOpen = false
    if (this.waitingCount === 0) return
    this.openRound()
    const startMs = this.systemClock.monotonicMs()
    const untilMs = startMs + this.budgetMs
    let nowMs = startMs
    for (let task = this.fresh.take(); task; task = this.fresh.take()) {
      this.advance(task, untilMs)
      nowMs = this.systemClock.monotonicMs()
      if (nowMs >= untilMs) break
    }
    this.usedMs += nowMs - startMs
    const task = this.started.take()
    if (task) this.advance(task, nowMs + this.budgetMs)
  }

  private advance(task: Task, untilMs: number): void {
    try {
      const step = this.slice(task.work, untilMs, task.failure)
      delete task.failure
      if (step.done) task.resolve(step.value)
      else if (step.value) this.park(task, step.value)
      else this.started.add(task)
    } catch (error) {
      task.reject(error)
    }
  }

  /** Runs work until it ends, waits for something or its time is over. */
  private slice<T>(work: Slices<T>, untilMs: number, failure?: { error: unknown }) {
    let step = failure ? work.throw(failure.error) : work.next()
    while (!step.done && !step.value && this.systemClock.monotonicMs() < untilMs) step = work.next()
    return step
  }

  private park(task: Task, waiting: Promise<unknown>): void {
    const resume = () => {
      this.started.add(task)
      this.openRound()
    }
    waiting.then(resume, (error) => {
      task.failure = { error }
      resume()
    })
  }
}

/** Does work to its end at once; for callers who have the thread to themselves. */
export function runToEnd<T>(work: Slices<T>): T {
  let step = work.next()
  for (; !step.done; step = work.next())
    if (step.value) throw new Error('this work waits for something and cannot be done at once')
  return step.value
}

/** The same for work that may wait: between two promises it keeps the thread. */
export async function runWaiting<T>(work: Slices<T>): Promise<T> {
  let step = work.next()
  while (!step.done) {
    let failure: { error: unknown } | null = null
    if (step.value)
      await step.value.catch((error) => {
        failure = { error }
      })
    step = failure ? work.throw((failure as { error: unknown }).error) : work.next()
  }
  return step.value
}

/** Tasks in order of arrival, taken from one owner after another. */
class OwnerQueue<Task extends { owner: object }> {
  private readonly byOwner = new Map<object, Task[]>()
  size = 0

  has(owner: object): boolean {
    return this.byOwner.has(owner)
  }

  add(task: Task): void {
    const tasks = this.byOwner.get(task.owner)
    if (tasks) tasks.push(task)
    else this.byOwner.set(task.owner, [task])
    this.size++
  }

  take(): Task | undefined {
    for (const [owner, tasks] of this.byOwner) {
      const task = tasks.shift()
      this.byOwner.delete(owner)
      if (tasks.length > 0) this.byOwner.set(owner, tasks)
      this.size--
      return task
    }
    return undefined
  }
}
