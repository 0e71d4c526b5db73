/** Keys and invite tokens as the control plane shows and takes them. */
import { Nullable, OneOf, type Static, Type } from '../../contract/schema.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { ApiKey } from '../../sandbox/tenancy/api-key.ts'
import type { Invite, InvitePresets } from '../../sandbox/tenancy/tenancy.ts'

const count = (description: string) => Type.Integer({ minimum: 0, maximum: 1e12, description })

/** Limits of a key; null is no limit, or what its level says. */
export const LimitFields = Type.Object(
  {
    ratePerMinute: Type.Optional(Nullable(count('requests a minute'))),
    monthlyQuota: Type.Optional(Nullable(count('requests a month'))),
    maxTimeRangeS: Type.Optional(Nullable(count('longest time range that may be requested, s'))),
    maxConnections: Type.Optional(Nullable(count('sockets at once'))),
    maxSubscriptions: Type.Optional(Nullable(count('subscriptions over all sockets'))),
  },
  { title: 'KeyLimits', additionalProperties: false },
)

export const NameField = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'name of its user',
})
export const PermissionsField = Nullable(
  Type.Array(Type.String(), { description: 'actions and named permissions; null for all' }),
)

export const KeyView = Type.Object(
  {
    accessKey: Type.String(),
    kind: OneOf(['full', 'partner', 'sub', 'direct'], 'kind of the key'),
    name: Type.String(),
    distributor: Nullable(Type.String()),
    level: Nullable(Type.String()),
    permissions: PermissionsField,
    status: OneOf(['active', 'disabled'], 'whether the key is accepted'),
    limits: LimitFields,
    usage: Type.Object({ minute: Type.Integer(), month: Type.Integer() }),
    createdMs: Type.Integer({ description: 'session time, ms' }),
  },
  { title: 'Key' },
)

/** A key without its secret, with what it has used. */
export function keyView(sandbox: Sandbox, key: ApiKey): Static<typeof KeyView> {
  const { tenancy, clock } = sandbox
  const nowMs = clock.nowMs()
  const { ratePerMinute, monthlyQuota, maxTimeRangeS, maxConnections, maxSubscriptions } =
    sandbox.limitsOf(key)
  return {
    accessKey: key.accessKey,
    kind: key.kind,
    name: key.name,
    distributor: key.distributor,
    level: key.level,
    permissions: key.grants && [...key.grants],
    status: key.status,
    limits: {
      ratePerMinute,
      monthlyQuota,
      maxTimeRangeS,
      maxConnections,
      maxSubscriptions,
    },
    usage: {
      minute: tenancy.usage.inMinute(key.accessKey, nowMs),
      month: tenancy.usage.inMonth(key.accessKey, nowMs),
    },
    createdMs: Math.floor(key.createdMs),
  }
}

export const InviteView = Type.Object(
  {
    inviteToken: Type.String(),
    name: Type.String(),
    level: Type.String(),
    maxSubKeys: Type.Integer(),
    maxTotalQuota: Type.Integer(),
    maxConnections: Nullable(Type.Integer()),
    maxSubscriptions: Nullable(Type.Integer()),
    usedBy: Nullable(Type.String({ description: 'access key of the distributor that used it' })),
  },
  { title: 'Invite' },
)

export function inviteView({ token, presets, usedBy }: Invite): Static<typeof InviteView> {
  return { inviteToken: token, ...presetFields(presets), usedBy }
}

const presetFields = (presets: InvitePresets) => ({
  name: presets.name,
  level: presets.level,
  maxSubKeys: presets.maxSubKeys,
  maxTotalQuota: presets.maxTotalQuota,
  maxConnections: presets.maxConnections,
  maxSubscriptions: presets.maxSubscriptions,
})
