import { randomSource } from '../../random/random-source.ts'
import { createInitialKeys, demoKeyNames, type InitialKeys } from './initial-keys.ts'
import { type ClaimName, Tenancy } from './tenancy.ts'

/** Who lives in a sandbox when it is made. */
export interface InitialTenancy {
  tenancy: Tenancy
  keys: InitialKeys
  inviteToken: string
}

export const DEFAULT_ID = 'default'

/** The same each time: a sandbox that is reset has the keys it was made with. */
export function initialTenancyOf(
  id: string,
  seed: number,
  actions: readonly string[],
  nowMs: number,
  claim: ClaimName,
): InitialTenancy {
  const chance = randomSource(seed, `sandbox/${id}`)
  const tenancy = new Tenancy(chance.fork('later keys'), id, claim)
  const isDefault = id === DEFAULT_ID
  const keyDice = chance.fork('keys')
  const naming = (who: string) => ({
    accessKey: `${id}-${who}-${keyDice.hex(8)}`,
    secretKey: keyDice.hex(40),
  })
  const inviteToken = isDefault ? 'demo-invite' : `${id}-invite-${chance.fork('invite').hex(8)}`
  const names = isDefault ? demoKeyNames : naming
  const keys = createInitialKeys(tenancy, names, inviteToken, actions, nowMs)
  return { tenancy, keys, inviteToken }
}
