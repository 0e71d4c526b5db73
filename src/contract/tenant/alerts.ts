/** Alerts that a client has set (spec, Signals). */

/** An alert as it was set. */
export interface AlertSetting {
  id: number
  /** `indicatorKey:period:triggerKey:params`, as it was given. */
  subType: string
  symbol: string
  remark: string
  /** When it was set, tape time. */
  setMs: number
}

export interface AlertsTenant {
  /** In the order of setting. */
  list(): readonly AlertSetting[]
  add(setting: Omit<AlertSetting, 'id'>): AlertSetting
  /** Whether there was one to remove. */
  remove(id: number): boolean
}
