/** Keys and invite tokens as the control plane shows and takes them. */
import { Nullable, OneOf, type Static, Type } from '../contract/schema.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Invite, Presets } from '../sandbox/tenancy/distributor.ts'
import type { Key, Limits } from '../sandbox/tenancy/key.ts'

const count = (description: string) => Type.Integer({ minimum: 0, maximum: 1e12, description })

/** Limits of a key; null is no limit, or what its level says. */
export const LimitFields = Type.Object(
  {
    rate_per_minute: Type.Optional(Nullable(count('requests a minute'))),
    monthly_quota: Type.Optional(Nullable(count('requests a month'))),
    max_time_range: Type.Optional(Nullable(count('longest span that may be asked for, s'))),
    max_connections: Type.Optional(Nullable(count('sockets at once'))),
    max_subscriptions: Type.Optional(Nullable(count('subscriptions over all sockets'))),
  },
  { additionalProperties: false },
)

export const NameField = Type.String({ minLength: 1, maxLength: 100, description: 'for whom' })
export const PermissionsField = Nullable(
  Type.Array(Type.String(), { description: 'actions and named permissions; null for all' }),
)

export const KeyView = Type.Object({
  access_key: Type.String(),
  kind: OneOf(['full', 'partner', 'sub', 'direct'], 'what it stands for'),
  name: Type.String(),
  distributor: Nullable(Type.String()),
  level: Nullable(Type.String()),
  permissions: PermissionsField,
  status: OneOf(['active', 'disabled'], 'whether it is let in'),
  limits: LimitFields,
  usage: Type.Object({ minute: Type.Integer(), month: Type.Integer() }),
  created_at: Type.Integer({ description: 'session time, ms' }),
})

/** A key without its secret, with what it has used. */
export function keyView(sandbox: Sandbox, key: Key): Static<typeof KeyView> {
  const { tenancy, clock } = sandbox
  const nowMs = clock.nowMs()
  const { ratePerMinute, monthlyQuota, maxTimeRangeS, maxConnections, maxSubscriptions } =
    sandbox.limitsOf(key)
  return {
    access_key: key.accessKey,
    kind: key.kind,
    name: key.name,
    distributor: key.distributor,
    level: key.level,
    permissions: key.grants && [...key.grants],
    status: key.status,
    limits: {
      rate_per_minute: ratePerMinute,
      monthly_quota: monthlyQuota,
      max_time_range: maxTimeRangeS,
      max_connections: maxConnections,
      max_subscriptions: maxSubscriptions,
    },
    usage: {
      minute: tenancy.usage.inMinute(key.accessKey, nowMs),
      month: tenancy.usage.inMonth(key.accessKey, nowMs),
    },
    created_at: Math.floor(key.createdMs),
  }
}

/** Limits as they were given; what was left out stays out. */
export function limitsFrom(given: Static<typeof LimitFields> | undefined): Partial<Limits> {
  const named: [keyof Limits, number | null | undefined][] = [
    ['ratePerMinute', given?.rate_per_minute],
    ['monthlyQuota', given?.monthly_quota],
    ['maxTimeRangeS', given?.max_time_range],
    ['maxConnections', given?.max_connections],
    ['maxSubscriptions', given?.max_subscriptions],
  ]
  return Object.fromEntries(named.filter(([, value]) => value !== undefined))
}

export const InviteView = Type.Object({
  invite_token: Type.String(),
  name: Type.String(),
  level: Type.String(),
  max_sub_keys: Type.Integer(),
  max_total_quota: Type.Integer(),
  max_connections: Nullable(Type.Integer()),
  max_subscriptions: Nullable(Type.Integer()),
  used_by: Nullable(Type.String({ description: 'access key of the distributor it made' })),
})

export function inviteView({ token, presets, usedBy }: Invite): Static<typeof InviteView> {
  return { invite_token: token, ...presetFields(presets), used_by: usedBy }
}

const presetFields = (presets: Presets) => ({
  name: presets.name,
  level: presets.level,
  max_sub_keys: presets.maxSubKeys,
  max_total_quota: presets.maxTotalQuota,
  max_connections: presets.maxConnections,
  max_subscriptions: presets.maxSubscriptions,
})
