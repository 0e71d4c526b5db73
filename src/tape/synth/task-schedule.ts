/** Tasks of the same millisecond come in this order. */
const TASKS = ['liquidation', 'order', 'refresh', 'mark', 'interest', 'funding'] as const

export type Task = (typeof TASKS)[number]

const NEVER = Number.POSITIVE_INFINITY

/** What one market has to do next. Times are ms since the start of the tape. */
export class TaskSchedule {
  private readonly due: Record<Task, number>

  /** `derived` says whether there are marks, open interest and funding: spot has none. */
  constructor(derived: boolean, refreshMs: number) {
    const ms = derived ? 0 : NEVER
    const [liquidation, order] = [NEVER, NEVER]
    this.due = { liquidation, order, refresh: refreshMs, mark: ms, interest: ms, funding: ms }
  }

  /** The next task and its time. */
  next(): { task: Task; ms: number } {
    const task = TASKS.reduce((a, b) => (this.due[b] < this.due[a] ? b : a))
    return { task, ms: this.due[task] }
  }

  /** Sets the time of a task; without one it does not come any more. */
  set(task: Task, ms: number | undefined): void {
    this.due[task] = ms ?? NEVER
  }

  /** Brings a task forward. */
  hasten(task: Task, ms: number): void {
    this.due[task] = Math.min(this.due[task], ms)
  }
}
