/** Who is there when a sandbox is made: four keys, two distributors, levels, an invite token. */
import { RESOURCE_TYPE } from '../../contract/actions.ts'
import type { LevelConfig } from '../../contract/records/distributor.ts'
import type { Presets } from './distributor.ts'
import { type Key, keyOf, UNLIMITED } from './key.ts'
import type { Tenancy } from './tenancy.ts'

/** The keys that a sandbox is handed out with. */
export type FirstKeys = Record<'full' | 'partner' | 'sub' | 'bare', Key>

type Naming = (who: keyof FirstKeys) => Pick<Key, 'accessKey' | 'secretKey'>

/** Names and secrets of the default sandbox, the same on every machine. */
export const demoNames: Naming = (who) => {
  const accessKey = who === 'full' ? 'demo' : `demo-${who}`
  return { accessKey, secretKey: `${accessKey}-secret` }
}

/** Furnishes a tenancy; level `basic` grants `actions`, level `bare` nothing. */
export function furnish(
  tenancy: Tenancy,
  naming: Naming,
  inviteToken: string,
  actions: readonly string[],
  nowMs: number,
): FirstKeys {
  const make = (who: keyof FirstKeys, more: Partial<Key> & Pick<Key, 'kind' | 'name'>) =>
    tenancy.addKey(keyOf({ ...naming(who), createdMs: nowMs, ...more }))
  const partner = make('partner', { kind: 'partner', name: PRESETS.name })
  const full = make('full', { kind: 'full', name: 'everything' })
  for (const key of [partner, full]) {
    const { levels } = tenancy.addDistributor(key, { ...PRESETS, name: key.name })
    levels.set('basic', level(actions))
    levels.set('bare', level([]))
  }
  const ofCustomer = {
    kind: 'sub' as const,
    distributor: partner.accessKey,
    limits: { ...UNLIMITED, monthlyQuota: QUOTA },
  }
  tenancy.addInvite(inviteToken, { ...PRESETS, name: 'Invited partner' })
  return {
    full,
    partner,
    sub: make('sub', { ...ofCustomer, name: 'customer', level: 'basic' }),
    bare: make('bare', { ...ofCustomer, name: 'customer without rights', level: 'bare' }),
  }
}

/** What invite tokens preset unless they are told otherwise. */
export const PRESETS: Presets = {
  name: 'Demo partner',
  level: 'partner',
  maxSubKeys: 20,
  maxTotalQuota: 10_000_000,
  maxConnections: null,
  maxSubscriptions: null,
}

/** Requests a month of a sub key that is there from the start. */
const QUOTA = 1_000_000

const level = (actions: readonly string[]): LevelConfig => ({
  request_limits: { max_time_range: 2_592_000, max_request: QUOTA, request_rate_limit: 6_000 },
  permissions: [{ resource_type: RESOURCE_TYPE, actions: [...actions] }],
})
