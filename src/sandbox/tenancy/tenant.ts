import type { Answers } from '../../contract/questions.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { Keeper } from '../keeper.ts'
import type { Run } from '../run.ts'
import { ONLY } from '../saved/parts.ts'
import { DistributorDesk } from './distributor-desk.ts'
import type { Key } from './key.ts'

/** What of a sandbox belongs to callers. */
interface Owned extends Pick<Run, 'alerts' | 'clock' | 'tenancy' | 'weights'> {
  readonly answers: Answers
  readonly keeper: Keeper | null
}

/** What a caller owns in a sandbox; null for somebody who did not sign. */
export function tenantOf(sandbox: Owned, key: Key | null): Tenant {
  const desk = () => new DistributorDesk(sandbox.tenancy, key, sandbox.clock.nowMs())
  return {
    alerts: sandbox.alerts.of(key?.accessKey ?? ''),
    venue: { spend: (weight) => spend(sandbox, weight) || isFree(sandbox) },
    get distributor() {
      return desk()
    },
  }
}

function spend({ keeper, weights, clock }: Owned, weight: number): boolean {
  keeper?.note('spending', ONLY)
  return weights.spend(weight, clock.nowMs())
}

const isFree = ({ answers }: Owned) => answers['venue-rate-limit'] === 'off'
