/** The alarms that fired while a clock was moved. */

export interface FiredAlarm {
  /** Session time. */
  timeMs: number
  /** What it was for, in words. */
  what: string
}

/** In order; of a very long move the first alarms and a count of the rest. */
export interface FiredAlarms {
  alarms: FiredAlarm[]
  more: number
}

/** Adds an alarm, or counts it when there are many. */
export function recordFired(fired: FiredAlarms, { timeMs, what }: FiredAlarm): void {
  if (fired.alarms.length < FIRED_ALARMS_MAX) fired.alarms.push({ timeMs, what })
  else fired.more++
}

const FIRED_ALARMS_MAX = 1_000
