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
  /** May be used before others have had as much; moved by the queue of owners. */
  creditMs = 0
  private debt = { ms: 0, atMs: 0 }
  private recent = { ms: 0, atMs: 0 }

  charge(costMs: number, nowMs: number): void {
    this.usedMs += costMs
    this.creditMs = Math.max(this.creditMs - costMs, -LONGEST_DEBT_MS)
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
 * Work of many owners. The next piece is of the owner who had the least, by cost and not by
 * number; of owners over their budget only while no other has any.
 */
export class OwnerQueue<Task extends { account: WorkAccount }> {
  private readonly byAccount = new Map<WorkAccount, Task[]>()
  size = 0

  has(account: WorkAccount): boolean {
    return this.byAccount.has(account)
  }

  add(task: Task): void {
    const tasks = this.byAccount.get(task.account)
    if (tasks) tasks.push(task)
    else this.byAccount.set(task.account, [task])
    this.size++
  }

  /** The next piece of an owner within its budget; undefined where all are over theirs. */
  take(nowMs: number): Task | undefined {
    return this.takeOf((account) => !account.isOverBudgetAt(nowMs))
  }

  /** The next piece of any owner. */
  takeAny(): Task | undefined {
    return this.takeOf(() => true)
  }

  /** Deficit round robin: an owner that is visited gets a quantum, and pays with its credit. */
  private takeOf(mayWork: (account: WorkAccount) => boolean): Task | undefined {
    let barred = 0
    for (const [account, tasks] of this.byAccount) {
      if (barred >= this.byAccount.size) return undefined
      // To the end: the loop comes to it again when it has seen the others.
      this.byAccount.delete(account)
      this.byAccount.set(account, tasks)
      if (!mayWork(account)) {
        barred++
        continue
      }
      barred = 0
      account.creditMs = Math.min(account.creditMs + QUANTUM_MS, QUANTUM_MS)
      if (account.creditMs <= 0) continue
      const task = tasks.shift() as Task
      if (tasks.length === 0) this.byAccount.delete(account)
      this.size--
      return task
    }
    return undefined
  }
}

const QUANTUM_MS = 0.5
