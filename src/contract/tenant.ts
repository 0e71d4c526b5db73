/**
 * The data that a caller owns and may change, as operations see it.
 *
 * Owned by the contract, kept by src/sandbox. Unlike facts it changes by calls of clients, not by
 * the market's time.
 */
import type {
  DistributorInfo,
  LevelConfig,
  NewSubKey,
  QuotaSummary,
  Registration,
  SubKey,
} from './records/distributor.ts'
import type { Refusal } from './refusal.ts'

export interface Tenant {
  alerts: AlertsTenant
  distributor: DistributorTenant
  /** The venue's own limit of weight a minute. */
  venue: {
    /** Counts weight in the minute; false, and nothing counted, when it would be exceeded. */
    spend(weight: number): boolean
  }
}

// Alerts that a client has set (the service's documentation, Signals).

/** An alert as it was set. */
export interface AlertSetting {
  id: number
  /** `indicatorKey:period:triggerKey:params`, as given. */
  subType: string
  /** dbKey of the pair. */
  symbol: string
  remark: string
  /** Shown time when it was set: unlike tape time it continues when the tape restarts. */
  shownMs: number
  /** Price of the pair then, as text. */
  price: string
}

/** The alerts of one key. */
export interface AlertsTenant {
  /** Maximum number of alerts. */
  readonly most: number
  /** In the order of setting. */
  list(): readonly AlertSetting[]
  /** null, and nothing set, when the maximum is reached. */
  add(setting: Omit<AlertSetting, 'id'>): AlertSetting | null
  /** Removes an alert; whether it existed. */
  remove(id: number): boolean
}

// The data that a distributor reads and changes: its own figures and the levels of its sub keys
// (the service's documentation, Distributor).

/** The fields of a sub key; absent ones stay, or are those of the level. */
export interface SubKeyFields {
  name?: string | undefined
  level?: string | undefined
  monthly_quota?: number | undefined
  status?: 'active' | 'disabled' | undefined
}

export interface DistributorTenant {
  /** Turns an unused invite token into a distributor, once. */
  register(inviteToken: string): Registration | Refusal<'invite'>
  info(): DistributorInfo
  quota(): QuotaSummary
  /** Names of the levels, in order of creation. */
  levels(): string[]
  level(name: string): LevelConfig | Refusal<'level'>
  /** Creates or replaces a level. A refused one changes nothing. */
  putLevel(
    name: string,
    config: LevelConfig,
  ): null | Refusal<'resourceType' | 'action' | 'levelCount'>
  deleteLevel(name: string): null | Refusal<'level'>
  /** In order of creation; pages count from 1. */
  subKeys(page: number, pageSize: number): SubKey[]
  createSubKey(fields: SubKeyFields): NewSubKey | Refusal<'subKey'>
  subKey(accessKey: string): SubKey | Refusal<'subKeyAbsent'>
  changeSubKey(accessKey: string, fields: SubKeyFields): SubKey | Refusal<'subKey' | 'subKeyAbsent'>
  deleteSubKey(accessKey: string): null | Refusal<'subKeyAbsent'>
}
