/** Tasks of the same millisecond come in this order. */
const TASKS = ['liquidation', 'order', 'refresh', 'mark', 'interest', 'funding'] as const

/** How often what a perpetual publishes is due. */
export const PUBLISH_MS = { mark: 3000, interest: 30_000, funding: 3_600_000 }

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

/** Tasks of a market that has been going on: what is published comes at multiples of its period. */
export function dueSchedule(derived: boolean, startMs: number, refreshMs: number): ScheduleState {
  const due = newSchedule(derived, refreshMs)
  if (!derived) return due
  for (const task of ['mark', 'interest', 'funding'] as const)
    due[task] = (PUBLISH_MS[task] - (startMs % PUBLISH_MS[task])) % PUBLISH_MS[task]
  return due
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

  /** Puts off a task that is due before. */
  postpone(task: Task, ms: number): void {
    this.due[task] = Math.max(this.due[task], ms)
  }

  /** Brings a task forward. */
  hasten(task: Task, ms: number): void {
    this.due[task] = Math.min(this.due[task], ms)
  }
}
