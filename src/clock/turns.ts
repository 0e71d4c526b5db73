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
import { FairShare, OwnerQueue, WorkAccount, type WorkOwner } from './work-account.ts'

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

/** Told what has the thread, slice by slice. */
export interface ThreadMonitor {
  begin(account: WorkAccount, what: string): void
  end(): void
}

interface Task {
  /** What it is, for who watches the thread. */
  what: string
  account: WorkAccount
  /** When it began to wait, monotonic ms. */
  sinceMs: number
  work: Slices<unknown>
  /** An error to be thrown into the work where it waits. */
  failure?: { error: unknown }
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** How long new work may hold the thread in one round, and longer work after it. */
const BUDGET_MS = 2

export class Turns {
  private readonly accounts = new WeakMap<object, WorkAccount>()
  private readonly share = new FairShare()
  private readonly started = new OwnerQueue<Task>(this.share)
  private readonly fresh = new OwnerQueue<Task>(this.share)
  private isRoundOpen = false
  monitor: ThreadMonitor | null = null
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
  run<T>(owner: object, work: Slices<T>, what = 'work'): T | Promise<T> {
    this.openRound()
    const account = this.accountOf(owner)
    const startMs = this.systemClock.monotonicMs()
    const isBusy = this.fresh.has(account) || this.usedMs >= this.budgetMs
    if (isBusy || account.isOverBudgetAt(startMs))
      return this.enqueue(this.fresh, account, work, what)
    if (!this.started.has(account)) this.share.join(account)
    this.share.serve(account)
    try {
      this.monitor?.begin(account, what)
      const step = this.slice(work, startMs + this.budgetMs - this.usedMs)
      if (step.done) return step.value
      return this.enqueue(this.started, account, work, what, step.value)
    } finally {
      this.monitor?.end()
      const nowMs = this.systemClock.monotonicMs()
      this.usedMs += nowMs - startMs
      account.charge(nowMs - startMs, nowMs)
    }
  }

  /** The account of an owner: its own, or one that is kept here. */
  accountOf(owner: object): WorkAccount {
    const { account: own } = owner as WorkOwner
    if (own) return own
    const known = this.accounts.get(owner)
    if (known) return known
    const account = new WorkAccount()
    this.accounts.set(owner, account)
    return account
  }

  /** The same for work that nobody waits for: it does not hold up what comes in this round. */
  runLater<T>(owner: object, work: Slices<T>, what = 'playing and sending'): Promise<T> {
    this.openRound()
    return this.enqueue(this.started, this.accountOf(owner), work, what)
  }

  private enqueue<T>(
    queue: OwnerQueue<Task>,
    account: WorkAccount,
    work: Slices<T>,
    what: string,
    waiting?: undefined | Promise<unknown>,
  ): Promise<T> {
    const { promise, resolve, reject } = deferred<T>()
    const sinceMs = this.systemClock.monotonicMs()
    const settle = { resolve: resolve as (value: unknown) => void, reject }
    const task: Task = { account, sinceMs, work, what, ...settle }
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
    for (let task = this.fresh.take(nowMs); task; task = this.fresh.take(nowMs)) {
      nowMs = this.advance(task, nowMs, untilMs)
      if (nowMs >= untilMs) break
    }
    this.usedMs += nowMs - startMs
    const task = this.started.take(nowMs)
    if (task) this.advance(task, nowMs, nowMs + this.budgetMs)
    else if (nowMs === startMs) this.advanceOverBudget(nowMs)
  }

  /** Owners over their budget have the thread while no other wants it. */
  private advanceOverBudget(nowMs: number): void {
    const task = this.fresh.takeAny() ?? this.started.takeAny()
    if (task) this.advance(task, nowMs, nowMs + this.budgetMs)
  }

  /** Does a slice of work, and answers with when it ended. */
  private advance(task: Task, startMs: number, untilMs: number): number {
    task.account.waitedMs += startMs - task.sinceMs
    try {
      this.monitor?.begin(task.account, task.what)
      const step = this.slice(task.work, untilMs, task.failure)
      delete task.failure
      if (step.done) task.resolve(step.value)
      else if (step.value) this.park(task, step.value)
      else this.started.add(task)
    } catch (error) {
      task.reject(error)
    }
    this.monitor?.end()
    const nowMs = this.systemClock.monotonicMs()
    task.sinceMs = nowMs
    task.account.charge(nowMs - startMs, nowMs)
    return nowMs
  }

  /** Runs work until it ends, waits for something or its time is over. */
  private slice<T>(work: Slices<T>, untilMs: number, failure?: { error: unknown }) {
    let step = failure ? work.throw(failure.error) : work.next()
    while (!step.done && !step.value && this.systemClock.monotonicMs() < untilMs) step = work.next()
    return step
  }

  private park(task: Task, waiting: Promise<unknown>): void {
    const resume = () => {
      task.sinceMs = this.systemClock.monotonicMs()
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
