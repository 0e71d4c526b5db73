/** Tasks of the same millisecond come in this order. */
const TASKS = ['liquidation', 'order', 'refresh', 'mark', 'interest', 'funding'] as const

export type Task = (typeof TASKS)[number]

/** When each task is due, ms since the start of the tape. */
export type ScheduleState = Record<Task, number>

/** Later than anything; a number that JSON has, too. */
const NEVER = Number.MAX_SAFE_INTEGER

/** The first tasks. `derived` says whether there are marks, open interest and funding. */
export function newSchedule(derived: boolean, refreshMs: number): ScheduleState {
  const ms = derived ? 0 : NEVER
  const [liquidation, order] = [NEVER, NEVER]
  return { liquidation, order, refresh: refreshMs, mark: ms, interest: ms, funding: ms }
}

/** What one market has to do next. */
export class TaskSchedule {
  constructor(private readonly due: ScheduleState) {}

  /** The task that is due first before `untilMs`, and its time; null when there is none. */
  next(untilMs: number): { task: Task; ms: number } | null {
    const { due } = this
    let [first, ms]: [Task | null, number] = [null, untilMs]
    for (const task of TASKS)
      if (due[task] < ms) {
        first = task
        ms = due[task]
      }
    return first === null ? null : { task: first, ms }
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
