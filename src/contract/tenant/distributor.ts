/** A distributor's desk: its own figures and the levels of its sub keys (spec, Distributor). */
import type {
  DistributorInfo,
  LevelConfig,
  QuotaSummary,
  Registration,
} from '../records/distributor.ts'
import type { Refusal } from '../refusal.ts'

export interface DistributorTenant {
  /** Turns an unused invite token into a distributor, once. */
  register(inviteToken: string): Registration | Refusal
  info(): DistributorInfo
  quota(): QuotaSummary
  /** Names of the levels, in the order in which they were made. */
  levels(): string[]
  level(name: string): LevelConfig | Refusal
  /** Makes or replaces a level. A refused one changes nothing. */
  putLevel(name: string, config: LevelConfig): null | Refusal
  deleteLevel(name: string): null | Refusal
}
