/** How often what a perpetual publishes is due. */
export const PUBLISH_MS = { mark: 3000, interest: 30_000, funding: 3_600_000 }

export type Task = 'liquidation' | 'order' | 'refresh' | 'mark' | 'interest' | 'funding'

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

  /**
   * The task that is due first before `untilMs`, and its time; null when there is none. Those of
   * the same millisecond come in the order that is tried here.
   */
  next(untilMs: number): { task: Task; ms: number } | null {
    const { liquidation, order, refresh, mark, interest, funding } = this.due
    const ms = Math.min(liquidation, order, refresh, mark, interest, funding)
    if (ms >= untilMs) return null
    if (ms === liquidation) return { task: 'liquidation', ms }
    if (ms === order) return { task: 'order', ms }
    if (ms === refresh) return { task: 'refresh', ms }
    if (ms === mark) return { task: 'mark', ms }
    return { task: ms === interest ? 'interest' : 'funding', ms }
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
