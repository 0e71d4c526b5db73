/**
 * A scheduler for the one thread: work is cut into slices, and its owners take turns.
 *
 * In each round of the event loop new work goes first, one piece of each owner after another, and
 * then one owner's longer work continues. So a short request waits for a few slices at most,
 * however much another owner requests. The runtime's own work in a round does not count: a request
 * that arrives while thousands of sockets close is answered at once.
 */

import { deferred } from '../platform/deferred.ts'
import { hostClock, type SystemClock } from './system-clock.ts'

/**
 * Work that yields wherever it may be interrupted, at least every millisecond or so. A yielded
 * promise is awaited before it continues.
 */
export type Slices<T> = Generator<undefined | Promise<unknown>, T, void>

/** Work of one slice. */
// biome-ignore lint/correctness/useYield: that is its point.
export function* oneSlice<T>(task: () => T): Slices<T> {
  return task()
}

/** Whether a value is pending work. */
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

/** Maps an answer, in slices where the answer is given in slices. */
export function mapSlices<T, U>(answer: T | Slices<T>, next: (answer: T) => U): U | Slices<U> {
  return isSlices(answer) ? mapped(answer as Slices<T>, next) : next(answer as T)
}

function* mapped<T, U>(answer: Slices<T>, next: (answer: T) => U): Slices<U> {
  return next(yield* answer)
}

/** Observes which work has the thread, slice by slice. */
export interface ThreadMonitor {
  begin(account: WorkAccount, what: string): void
  end(): void
}

interface Task {
  /** A description for the monitor. */
  what: string
  account: WorkAccount
  /** Start of its wait, monotonic ms. */
  sinceMs: number
  work: Slices<unknown>
  /** An error to be thrown into the work where it waits. */
  failure?: { error: unknown }
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Maximum time of new work in one round, and of longer work after it. */
const BUDGET_MS = 2

export class Turns {
  private readonly accounts = new WeakMap<object, WorkAccount>()
  private readonly share = new FairShare()
  private readonly started = new OwnerQueue<Task>(this.share)
  private readonly fresh = new OwnerQueue<Task>(this.share)
  private isRoundOpen = false
  monitor: ThreadMonitor | null = null
  /** Time of new work in this round. */
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
   * Runs work in the owner's turns. It begins at once, and returns at once when one slice is
   * enough; waiting work keeps the order of its owner.
   */
  run<T>(owner: object, work: Slices<T>, what = 'work'): T | Promise<T> {
    this.openRound()
    const account = this.accountOf(owner)
    const startMs = this.systemClock.monotonicMs()
    // Who has had less than others need not wait for the next round behind their new work.
    const budgetMs = this.share.isBehind(account) ? 2 * this.budgetMs : this.budgetMs
    const isBusy = this.fresh.has(account) || this.usedMs >= budgetMs
    if (isBusy || (this.waitingCount > 0 && account.isOverBudgetAt(startMs)))
      return this.enqueue(this.fresh, account, work, what)
    if (!this.started.has(account)) this.share.join(account)
    this.share.serve(account)
    try {
      this.monitor?.begin(account, what)
      const step = this.slice(work, startMs + budgetMs - this.usedMs)
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

  /** Runs background work: it does not delay new work of this round. */
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

  /** The round ends when all new work has had its first slice. */
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

  /** Owners over their budget have the thread while no other needs it. */
  private advanceOverBudget(startMs: number): void {
    const untilMs = startMs + this.budgetMs
    for (let nowMs = startMs; nowMs < untilMs; ) {
      const task = this.fresh.takeAny() ?? this.started.takeAny()
      if (!task) return
      nowMs = this.advance(task, nowMs, untilMs)
    }
  }

  /** Runs a slice of work, and returns the time of its end. */
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

  /** Runs work until it ends, waits for a promise or its time is over. */
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

/** Runs work to its end at once; for callers that own the thread. */
export function runToEnd<T>(work: Slices<T>): T {
  let step = work.next()
  for (; !step.done; step = work.next())
    if (step.value) throw new Error('this work waits for something and cannot be done at once')
  return step.value
}

/** Runs work that may wait: between two promises it keeps the thread. */
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

// Processor time of one owner of work, charged by each slice, with its budget.

/** The budget of a sandbox: a permanent share of the thread, and a burst. */
const BUDGET = { share: 0.5, burstMs: 200 } as const

/** Window of the recent use, ms. */
const RECENT_MS = 10_000

export class WorkAccount {
  /** @param name of the sandbox; null without one */
  constructor(readonly name: string | null = null) {}

  /** Processor time in all, ms. */
  usedMs = 0
  /** Waiting time of its work in all, ms. */
  waitedMs = 0
  /** Its virtual time in the fair queue, ms (start-time fair queueing). */
  virtualMs = 0
  private debt = { ms: 0, atMs: 0 }
  private recent = { ms: 0, atMs: 0 }

  charge(costMs: number, nowMs: number): void {
    this.usedMs += costMs
    this.virtualMs += costMs
    this.debt = { ms: this.debtAt(nowMs) + costMs, atMs: nowMs }
    this.recent = { ms: this.recentAt(nowMs) + costMs, atMs: nowMs }
  }

  /** Whether it has exceeded its budget: its work waits while others have some. */
  isOverBudgetAt(nowMs: number): boolean {
    return this.debtAt(nowMs) > BUDGET.burstMs
  }

  /** Its share of the thread in the last seconds, from 0 to 1. */
  recentShareAt(nowMs: number): number {
    return Math.min(1, this.recentAt(nowMs) / RECENT_MS)
  }

  private debtAt(nowMs: number): number {
    const paidMs = (nowMs - this.debt.atMs) * BUDGET.share
    return Math.max(0, Math.min(this.debt.ms, LONGEST_DEBT_MS) - paidMs)
  }

  private recentAt(nowMs: number): number {
    return this.recent.ms * Math.exp((this.recent.atMs - nowMs) / RECENT_MS)
  }
}

/** Maximum debt, ms: one long slice must not keep an owner out for minutes. */
const LONGEST_DEBT_MS = 1_000

/** The account of work; several owners of one tenant share it. */
interface WorkOwner {
  readonly account?: WorkAccount
}

/**
 * The virtual time of all owners, shared by their queues: that of the owner served last. An owner
 * without waiting work joins there at least, so that it neither saves up turns while idle nor pays
 * for time that no other owner wanted; its last slice counts.
 */
class FairShare {
  private servedMs = 0

  /** An owner without waiting work gets some. */
  join(account: WorkAccount): void {
    const latestMs = this.servedMs + LONGEST_LEAD_MS
    account.virtualMs = Math.min(Math.max(account.virtualMs, this.servedMs), latestMs)
  }

  /** Whether an owner has had less than the one served last. */
  isBehind(account: WorkAccount): boolean {
    return account.virtualMs < this.servedMs
  }

  /** An owner is about to have the thread. */
  serve(account: WorkAccount): void {
    this.servedMs = Math.max(this.servedMs, account.virtualMs)
  }
}

/** Maximum lead of an owner after one long slice, ms. */
const LONGEST_LEAD_MS = 50

/**
 * Waiting work of many owners. The next piece is of the owner with the least virtual time, by cost
 * and not by number; of owners over their budget only while no other has any.
 */
class OwnerQueue<Task extends { account: WorkAccount }> {
  private readonly byAccount = new Map<WorkAccount, Task[]>()
  size = 0

  constructor(private readonly share: FairShare) {}

  has(account: WorkAccount): boolean {
    return this.byAccount.has(account)
  }

  add(task: Task): void {
    this.size++
    const tasks = this.byAccount.get(task.account)
    if (tasks) {
      tasks.push(task)
      return
    }
    this.share.join(task.account)
    this.byAccount.set(task.account, [task])
  }

  /** The next piece of an owner within its budget; undefined where all exceed theirs. */
  take(nowMs: number): Task | undefined {
    return this.takeOf((account) => !account.isOverBudgetAt(nowMs))
  }

  /** The next piece of any owner. */
  takeAny(): Task | undefined {
    return this.takeOf(() => true)
  }

  private takeOf(mayWork: (account: WorkAccount) => boolean): Task | undefined {
    let least: WorkAccount | undefined
    for (const account of this.byAccount.keys())
      if ((!least || account.virtualMs < least.virtualMs) && mayWork(account)) least = account
    if (!least) return undefined
    const tasks = this.byAccount.get(least) as Task[]
    const task = tasks.shift() as Task
    // Moved to the end: among equal owners the longest waiting one is next.
    this.byAccount.delete(least)
    if (tasks.length > 0) this.byAccount.set(least, tasks)
    this.size--
    this.share.serve(least)
    return task
  }
}
