/** An API key: its owner and permissions. */

/** `partner` is a distributor's primary key, `sub` a key of one of its customers. */
export type ApiKeyKind = 'full' | 'partner' | 'sub' | 'direct'

/** The limits of a key; null is no limit. */
export interface KeyLimits {
  ratePerMinute: number | null
  monthlyQuota: number | null
  maxTimeRangeS: number | null
  maxConnections: number | null
  maxSubscriptions: number | null
}

export const UNLIMITED: KeyLimits = {
  ratePerMinute: null,
  monthlyQuota: null,
  maxTimeRangeS: null,
  maxConnections: null,
  maxSubscriptions: null,
}

export interface ApiKey {
  accessKey: string
  secretKey: string
  kind: ApiKeyKind
  /** The name of its user. */
  name: string
  /** A sub key's distributor, by access key. */
  distributor: string | null
  /** Level of a sub key, by name; it may have been deleted since. */
  level: string | null
  /** Permissions of a direct key; null grants all. A sub key has those of its level. */
  grants: ReadonlySet<string> | null
  /** Its own limits; for a sub key, null means those of its level. */
  limits: KeyLimits
  status: 'active' | 'disabled'
  /** Session time. */
  createdMs: number
}

/** A key of no distributor with all permissions, unless the fields override it. */
export const newApiKey = (
  fields: Pick<ApiKey, 'accessKey' | 'secretKey' | 'kind' | 'name' | 'createdMs'> & Partial<ApiKey>,
): ApiKey => ({
  distributor: null,
  level: null,
  grants: null,
  limits: UNLIMITED,
  status: 'active',
  ...fields,
})

/** The plans of direct keys. */
export const PLANS = ['free', 'basic', 'standard', 'advanced', 'pro'] as const
export type Plan = (typeof PLANS)[number]

const planLimits = (ratePerMinute: number, monthlyQuota: number): KeyLimits => ({
  ...UNLIMITED,
  ratePerMinute,
  monthlyQuota,
})

/** Requests a minute and a month. */
export const PLAN_LIMITS: Record<Plan, KeyLimits> = {
  free: planLimits(15, 20_000),
  basic: planLimits(30, 20_000),
  standard: planLimits(80, 500_000),
  advanced: planLimits(300, 1_500_000),
  pro: planLimits(1_200, 3_500_000),
}
