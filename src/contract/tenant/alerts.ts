/** Alerts that a client has set (the service's documentation, Signals). */

/** An alert as it was set. */
export interface AlertSetting {
  id: number
  /** `indicatorKey:period:triggerKey:params`, as it was given. */
  subType: string
  /** dbKey of the pair. */
  symbol: string
  remark: string
  /**
   * When it was set, on the clock that clients are shown: unlike tape time that one goes on when
   * the tape begins anew.
   */
  shownMs: number
  /** Price of the pair then, as text. */
  price: string
}

/** The alerts of one key. */
export interface AlertsTenant {
  /** So many are kept. */
  readonly most: number
  /** In the order of setting. */
  list(): readonly AlertSetting[]
  /** null, and nothing set, when there are as many as there may be. */
  add(setting: Omit<AlertSetting, 'id'>): AlertSetting | null
  /** Whether there was one to remove. */
  remove(id: number): boolean
}
