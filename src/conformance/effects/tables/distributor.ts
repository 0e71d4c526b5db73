import type { EffectTable } from '../effect.ts'
import { someDistributorLevels } from '../known-values.ts'
import { differs } from '../selection.ts'

export const DISTRIBUTOR_EFFECTS: EffectTable = {
  'distributor.deleteLevel': { level: { caseId: 'distributor.levels.life' } },
  'distributor.level': { level: { effect: differs(someDistributorLevels) } },
  'distributor.putLevel': {
    level: { caseId: 'distributor.levels.life' },
    request_limits: { caseId: 'distributor.levels.life' },
    permissions: { caseId: 'distributor.levels.life' },
  },
  'distributor.register': { invite_token: { caseId: 'distributor.registration.once' } },
}
