/** What a sandbox is made with: four keys, two distributors, levels, an invite token. */
import { RESOURCE_TYPE } from '../../contract/actions.ts'
import type { LevelConfig } from '../../contract/records/distributor.ts'
import { type ApiKey, newApiKey, UNLIMITED } from './api-key.ts'
import type { InvitePresets, Tenancy } from './tenancy.ts'

/** The keys that a sandbox is made with. */
export type InitialKeys = Record<'full' | 'partner' | 'sub' | 'bare', ApiKey>

type KeyNaming = (role: keyof InitialKeys) => Pick<ApiKey, 'accessKey' | 'secretKey'>

/** Names and secrets of the default sandbox, the same on every machine. */
export const demoKeyNames: KeyNaming = (role) => {
  const accessKey = role === 'full' ? 'demo' : `demo-${role}`
  return { accessKey, secretKey: `${accessKey}-secret` }
}

/** Adds them to a tenancy; level `basic` grants `actions`, level `bare` nothing. */
export function createInitialKeys(
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
    tenancy.putLevel(distributor, 'basic', levelConfigOf(actions))
    tenancy.putLevel(distributor, 'bare', levelConfigOf([]))
  }
  const ofCustomer = {
    kind: 'sub' as const,
    distributor: partner.accessKey,
    limits: { ...UNLIMITED, monthlyQuota: INITIAL_MONTHLY_QUOTA },
  }
  tenancy.addInvite(inviteToken, { ...DEFAULT_PRESETS, name: 'Invited partner' })
  return {
    full,
    partner,
    sub: make('sub', { ...ofCustomer, name: 'customer', level: 'basic' }),
    bare: make('bare', { ...ofCustomer, name: 'customer without rights', level: 'bare' }),
  }
}

/** What invite tokens preset unless the call says otherwise. */
export const DEFAULT_PRESETS: InvitePresets = {
  name: 'Demo partner',
  level: 'partner',
  maxSubKeys: 20,
  maxTotalQuota: 10_000_000,
  maxConnections: null,
  maxSubscriptions: null,
}

/** Requests a month of a sub key that is there from the start. */
const INITIAL_MONTHLY_QUOTA = 1_000_000

export const levelConfigOf = (actions: readonly string[]): LevelConfig => ({
  request_limits: {
    max_time_range: 2_592_000,
    max_request: INITIAL_MONTHLY_QUOTA,
    request_rate_limit: 6_000,
  },
  permissions: [{ resource_type: RESOURCE_TYPE, actions: [...actions] }],
})
