import type { Answers } from '../../contract/questions.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { SandboxRun } from '../sandbox-run.ts'
import type { ChangeLog } from '../sandbox-store.ts'
import { SINGLE_ID } from '../snapshot/state-parts.ts'
import type { ApiKey } from './api-key.ts'
import { DistributorService } from './distributor-service.ts'

/** What of a sandbox belongs to callers. */
interface TenantState extends Pick<SandboxRun, 'alerts' | 'clock' | 'tenancy' | 'venueWeight'> {
  readonly answers: Answers
  readonly changeLog: ChangeLog | null
}

/** What a caller owns in a sandbox; null for somebody who did not sign. */
export function tenantOf(sandbox: TenantState, key: ApiKey | null): Tenant {
  return {
    alerts: sandbox.alerts.forKey(key?.accessKey ?? ''),
    venue: { spend: (weight) => spend(sandbox, weight) || isFree(sandbox) },
    get distributor() {
      return new DistributorService(sandbox.tenancy, key, sandbox.clock.nowMs())
    },
  }
}

function spend({ changeLog, venueWeight, clock }: TenantState, weight: number): boolean {
  changeLog?.markChanged('venueWeight', SINGLE_ID)
  return venueWeight.spend(weight, clock.nowMs())
}

const isFree = ({ answers }: TenantState) => answers['venue-rate-limit'] === 'off'
