/**
 * What a caller owns and may change, as operations see it.
 *
 * Owned by the contract, kept by src/sandbox. Unlike facts it changes by what clients do, not by
 * the market's time.
 */
import type { AlertsTenant } from './tenant/alerts.ts'
import type { DistributorTenant } from './tenant/distributor.ts'

export interface Tenant {
  alerts: AlertsTenant
  distributor: DistributorTenant
  /** The venue's own limit of weight a minute. */
  venue: {
    /** Counts weight in the minute; false, and nothing counted, when it is used up. */
    spend(weight: number): boolean
  }
}
