/** Processor time of one owner of work: charged by each slice, and its budget. */

/** A sandbox may use this share of the thread for as long as it likes, and so much more at once. */
export const BUDGET = { share: 0.5, burstMs: 200 } as const

/** Over which recent use is looked at, ms. */
const RECENT_MS = 10_000

export class WorkAccount {
  /** @param name of the sandbox; null for work of none */
  constructor(readonly name: string | null = null) {}

  /** All that was used, ms. */
  usedMs = 0
  /** So long work waited for its turn, ms in all. */
  waitedMs = 0
  /** What it has had on the scale of the fair queue, ms (start-time fair queueing). */
  virtualMs = 0
  private debt = { ms: 0, atMs: 0 }
  private recent = { ms: 0, atMs: 0 }

  charge(costMs: number, nowMs: number): void {
    this.usedMs += costMs
    this.virtualMs += costMs
    this.debt = { ms: this.debtAt(nowMs) + costMs, atMs: nowMs }
    this.recent = { ms: this.recentAt(nowMs) + costMs, atMs: nowMs }
  }

  /** Whether it has used more than its budget: its work waits while others have some. */
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

/** What is owed above this is forgotten, ms: one long slice keeps no owner out for minutes. */
const LONGEST_DEBT_MS = 1_000

/** Whose work something is; several of one tenant share an account. */
export interface WorkOwner {
  readonly account?: WorkAccount
}

/**
 * How far the owners are, shared by their queues: the place of the owner that was served last. An
 * owner without waiting work joins there at least, so it neither saves up turns while it is idle
 * nor is made to pay for what it had while no other wanted the thread; its last slice counts.
 */
export class FairShare {
  private servedMs = 0

  /** An owner without waiting work gets some. */
  join(account: WorkAccount): void {
    const latestMs = this.servedMs + LONGEST_LEAD_MS
    account.virtualMs = Math.min(Math.max(account.virtualMs, this.servedMs), latestMs)
  }

  /** An owner is about to have the thread. */
  serve(account: WorkAccount): void {
    this.servedMs = Math.max(this.servedMs, account.virtualMs)
  }
}

/** One long slice puts its owner no further behind the others than this, ms. */
const LONGEST_LEAD_MS = 50

/**
 * Work of many owners. The next piece is of the owner who had the least, by cost and not by
 * number; of owners over their budget only while no other has any.
 */
export class OwnerQueue<Task extends { account: WorkAccount }> {
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

  /** The next piece of an owner within its budget; undefined where all are over theirs. */
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
    // To the end: of owners that are as far the one that waits longest is next.
    this.byAccount.delete(least)
    if (tasks.length > 0) this.byAccount.set(least, tasks)
    this.size--
    this.share.serve(least)
    return task
  }
}
