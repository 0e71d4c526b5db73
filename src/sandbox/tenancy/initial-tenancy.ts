import { DATA_PERMISSIONS, RESOURCE_TYPE } from '../../contract/actions.ts'
import type { LevelConfig } from '../../contract/records/distributor.ts'
import { randomSource } from '../../random/random-source.ts'
import { DEFAULT_SANDBOX_ID } from '../sandbox-config.ts'
import { type ApiKey, newApiKey, UNLIMITED } from './api-key.ts'
import { type ClaimName, type InvitePresets, Tenancy } from './tenancy.ts'

/** The initial keys, distributors and invite token of a sandbox. */
export interface InitialTenancy {
  tenancy: Tenancy
  keys: InitialKeys
  inviteToken: string
}

/** The same for each run: a reset restores the initial keys. */
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

// The initial keys of a sandbox: four keys, two distributors, levels, an invite token.

/** The initial keys of a sandbox. */
export type InitialKeys = Record<'full' | 'partner' | 'sub' | 'bare', ApiKey>

type KeyNaming = (role: keyof InitialKeys) => Pick<ApiKey, 'accessKey' | 'secretKey'>

/** Names and secrets of the default sandbox, the same on every machine. */
const demoKeyNames: KeyNaming = (role) => {
  const accessKey = role === 'full' ? 'demo' : `demo-${role}`
  return { accessKey, secretKey: `${accessKey}-secret` }
}

/**
 * Adds them to a tenancy; level `basic` grants `actions`, level `bare` nothing. Figures that a
 * client could take for each other differ: limits of two levels, a key's quota and its level's,
 * presets of the partner and of the invite token.
 */
function createInitialKeys(
  tenancy: Tenancy,
  naming: KeyNaming,
  inviteToken: string,
  actions: readonly string[],
  nowMs: number,
): InitialKeys {
  const make = (role: keyof InitialKeys, fields: Partial<ApiKey> & Pick<ApiKey, 'kind' | 'name'>) =>
    tenancy.addKey(newApiKey({ ...naming(role), createdMs: nowMs, ...fields }))
  const partner = make('partner', { kind: 'partner', name: DEFAULT_PRESETS.name })
  const full = make('full', { kind: 'full', name: 'everything' })
  for (const key of [partner, full]) {
    const distributor = tenancy.addDistributor(key, { ...DEFAULT_PRESETS, name: key.name })
    tenancy.putLevel(distributor, 'basic', basicLevelOf(actions))
    tenancy.putLevel(distributor, 'bare', { ...levelConfigOf([]), request_limits: BARE_LIMITS })
  }
  const ofCustomer = (monthlyQuota: number) => ({
    kind: 'sub' as const,
    distributor: partner.accessKey,
    limits: { ...UNLIMITED, monthlyQuota },
  })
  tenancy.addInvite(inviteToken, INVITED_PRESETS)
  return {
    full,
    partner,
    sub: make('sub', { ...ofCustomer(INITIAL_MONTHLY_QUOTA), name: 'customer', level: 'basic' }),
    bare: make('bare', {
      ...ofCustomer(BARE_LIMITS.max_request * 2),
      name: 'customer without rights',
      level: 'bare',
    }),
  }
}

/** Presets of invite tokens by default. */
export const DEFAULT_PRESETS: InvitePresets = {
  name: 'Demo partner',
  level: 'partner',
  maxSubKeys: 20,
  maxTotalQuota: 10_000_000,
  maxConnections: null,
  maxSubscriptions: null,
}

/** Presets of the initial invite token. */
const INVITED_PRESETS: InvitePresets = {
  ...DEFAULT_PRESETS,
  name: 'Invited partner',
  level: 'trial',
  maxSubKeys: 10,
  maxTotalQuota: 5_000_000,
}

/** Monthly quota of the initial sub key of level `basic`. */
const INITIAL_MONTHLY_QUOTA = 1_000_000

export const levelConfigOf = (actions: readonly string[]): LevelConfig => ({
  request_limits: {
    max_time_range: 2_592_000,
    max_request: INITIAL_MONTHLY_QUOTA,
    request_rate_limit: 6_000,
  },
  permissions: [{ resource_type: RESOURCE_TYPE, actions: [...actions] }],
})

/** Data and sockets are two permissions, so that a client must read more than the first. */
function basicLevelOf(actions: readonly string[]): LevelConfig {
  const groups = [true, false]
    .map((isData) => actions.filter((action) => DATA_PERMISSIONS.includes(action) === isData))
    .filter((group) => group.length > 0)
  return {
    ...levelConfigOf([]),
    permissions: groups.flatMap((group) => levelConfigOf(group).permissions),
  }
}

/** Request limits of level `bare`. */
const BARE_LIMITS = { max_time_range: 86_400, max_request: 100_000, request_rate_limit: 600 }
