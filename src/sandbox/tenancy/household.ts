import { dice } from '../../random/dice.ts'
import { demoNames, type FirstKeys, furnish } from './first-keys.ts'
import { type Claim, Tenancy } from './tenancy.ts'

/** Who lives in a sandbox when it is made. */
export interface Household {
  tenancy: Tenancy
  keys: FirstKeys
  inviteToken: string
}

export const DEFAULT_ID = 'default'

/** The same each time: a sandbox that is reset has the keys it was made with. */
export function householdOf(
  id: string,
  seed: number,
  actions: readonly string[],
  nowMs: number,
  claim: Claim,
): Household {
  const chance = dice(seed, `sandbox/${id}`)
  const tenancy = new Tenancy(chance.fork('later keys'), id, claim)
  const isDefault = id === DEFAULT_ID
  const keyDice = chance.fork('keys')
  const naming = (who: string) => ({
    accessKey: `${id}-${who}-${keyDice.hex(8)}`,
    secretKey: keyDice.hex(40),
  })
  const inviteToken = isDefault ? 'demo-invite' : `${id}-invite-${chance.fork('invite').hex(8)}`
  const names = isDefault ? demoNames : naming
  const keys = furnish(tenancy, names, inviteToken, actions, nowMs)
  return { tenancy, keys, inviteToken }
}
