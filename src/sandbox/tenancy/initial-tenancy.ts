import { randomSource } from '../../random/random-source.ts'
import { DEFAULT_SANDBOX_ID } from '../sandbox-config.ts'
import { createInitialKeys, demoKeyNames, type InitialKeys } from './initial-keys.ts'
import { type ClaimName, Tenancy } from './tenancy.ts'

/** The keys, distributors and invite token that a sandbox is made with. */
export interface InitialTenancy {
  tenancy: Tenancy
  keys: InitialKeys
  inviteToken: string
}

/** The same each time: a sandbox that is reset has the keys it was made with. */
export function initialTenancyOf(
  id: string,
  seed: number,
  actions: readonly string[],
  nowMs: number,
  claim: ClaimName,
): InitialTenancy {
  const random = randomSource(seed, `sandbox/${id}`)
  const tenancy = new Tenancy(random.fork('later keys'), id, claim)
  const isDefault = id === DEFAULT_SANDBOX_ID
  const keyRandom = random.fork('keys')
  const naming = (who: string) => ({
    accessKey: `${id}-${who}-${keyRandom.hex(8)}`,
    secretKey: keyRandom.hex(40),
  })
  const inviteToken = isDefault ? 'demo-invite' : `${id}-invite-${random.fork('invite').hex(8)}`
  const names = isDefault ? demoKeyNames : naming
  const keys = createInitialKeys(tenancy, names, inviteToken, actions, nowMs)
  return { tenancy, keys, inviteToken }
}
