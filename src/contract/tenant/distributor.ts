/**
 * What a distributor sees and changes: its own figures and the levels of its sub keys (the
 * service's documentation, Distributor).
 */
import type {
  DistributorInfo,
  LevelConfig,
  QuotaSummary,
  Registration,
} from '../records/distributor.ts'
import type { NewSubKey, SubKey } from '../records/sub-key.ts'
import type { Refusal } from '../refusal.ts'

/** What a sub key is asked to be; what is left out stays, or is what the level presets. */
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
  /** Names of the levels, in the order in which they were made. */
  levels(): string[]
  level(name: string): LevelConfig | Refusal<'level'>
  /** Makes or replaces a level. A refused one changes nothing. */
  putLevel(
    name: string,
    config: LevelConfig,
  ): null | Refusal<'resourceType' | 'action' | 'levelCount'>
  deleteLevel(name: string): null | Refusal<'level'>
  /** In the order in which they were made; pages count from 1. */
  subKeys(page: number, pageSize: number): SubKey[]
  createSubKey(fields: SubKeyFields): NewSubKey | Refusal<'subKey'>
  subKey(accessKey: string): SubKey | Refusal<'subKeyAbsent'>
  changeSubKey(accessKey: string, fields: SubKeyFields): SubKey | Refusal<'subKey' | 'subKeyAbsent'>
  deleteSubKey(accessKey: string): null | Refusal<'subKeyAbsent'>
}
