/** Control calls about keys, their usage, and invite tokens. */

import { Nullable, OneOf, type Static, Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { boundFlaw, INVITES_MAX } from '../../../sandbox/sandbox-config.ts'
import { someNames } from '../../../sandbox/some-names.ts'
import type { ApiKey } from '../../../sandbox/tenancy/api-key.ts'
import { PLANS } from '../../../sandbox/tenancy/api-key.ts'
import { changeKey, createKey, invitePresetsOf } from '../../../sandbox/tenancy/key-management.ts'
import type { Invite, InvitePresets } from '../../../sandbox/tenancy/tenancy.ts'
import { NotFoundError } from '../control-call.ts'
import { controlOperation, PageFields, pageOf } from '../control-operation.ts'

// Keys and invite tokens as the control plane shows and takes them.

const count = (description: string) => Type.Integer({ minimum: 0, maximum: 1e12, description })

/** Limits of a key; null is no limit, or the limit of its level. */
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

const NameField = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'name of its user',
})
const PermissionsField = Nullable(
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

/** A key without its secret, with its usage. */
function keyView(sandbox: Sandbox, key: ApiKey): Static<typeof KeyView> {
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

function inviteView({ token, presets, usedBy }: Invite): Static<typeof InviteView> {
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

export const keyCreate = controlOperation({
  id: 'key.create',
  method: 'POST',
  path: '/sandboxes/:id/keys',
  title: 'Make a key',
  about:
    'A sub key has the permissions of its level, and starts with the quota of its level. A ' +
    'direct key has its own permissions and limits, or those of a plan; with `[]` it can call no ' +
    'data endpoint. A partner is a distributor. The secret key is shown only here.',
  params: {
    body: Type.Object({
      kind: OneOf(['sub', 'direct', 'partner'], 'kind of the key'),
      name: Type.Optional(NameField),
      distributor: Type.Optional(
        Type.String({ description: 'distributor of a sub key; the first one by default' }),
      ),
      level: Type.Optional(Type.String({ description: 'level of a sub key' })),
      levelMayBeAbsent: Type.Optional(
        Type.Boolean({ description: 'the distributor may configure the level later' }),
      ),
      permissions: Type.Optional(PermissionsField),
      plan: Type.Optional(OneOf([...PLANS], 'limits of a direct key')),
      limits: Type.Optional(LimitFields),
    }),
  },
  examples: [
    {
      name: 'with its own permissions',
      body: { kind: 'direct', permissions: ['HL_TICKERS'], limits: { monthlyQuota: 1_000 } },
    },
  ],
  data: Type.Composite([KeyView, Type.Object({ secretKey: Type.String() })]),
  answer({ body }, { sandbox }) {
    const found = sandbox()
    const key = createKey(found.tenancy, body, found.clock.nowMs())
    if (typeof key === 'string') throw new UserError(key)
    return { ...keyView(found, key), secretKey: key.secretKey }
  },
})

export const keyList = controlOperation({
  id: 'key.list',
  method: 'GET',
  path: '/sandboxes/:id/keys',
  title: 'All keys, with their usage',
  params: { query: PageFields },
  data: Type.Array(KeyView),
  answer({ query }, { sandbox }) {
    const found = sandbox()
    return pageOf(found.tenancy.keys, query, (key) => keyView(found, key))
  },
})

export const keyGet = controlOperation({
  id: 'key.get',
  method: 'GET',
  path: '/sandboxes/:id/keys/:key',
  title: 'A key, with its usage',
  data: KeyView,
  answer(_, { sandbox, pathParameter }) {
    const found = sandbox()
    return keyView(found, findKey(found, pathParameter('key')))
  },
})

export const keyChange = controlOperation({
  id: 'key.change',
  method: 'PUT',
  path: '/sandboxes/:id/keys/:key',
  title: 'Change a key',
  about: 'Fields that you leave out do not change. The change applies from the next request.',
  params: {
    body: Type.Object({
      name: Type.Optional(NameField),
      level: Type.Optional(Type.String({ description: 'level of a sub key' })),
      permissions: Type.Optional(PermissionsField),
      status: Type.Optional(OneOf(['active', 'disabled'], 'whether the key is accepted')),
      limits: Type.Optional(LimitFields),
    }),
  },
  examples: [{ name: 'another level', body: { level: 'basic', limits: { ratePerMinute: 60 } } }],
  data: KeyView,
  answer({ body }, { sandbox, pathParameter }) {
    const found = sandbox()
    const key = findKey(found, pathParameter('key'))
    const changed = changeKey(found.tenancy, key, body)
    if (typeof changed === 'string') throw new UserError(changed)
    return keyView(found, changed)
  },
})

export const keyDelete = controlOperation({
  id: 'key.delete',
  method: 'DELETE',
  path: '/sandboxes/:id/keys/:key',
  title: 'Delete a key',
  examples: [{ name: 'of a sub key', path: { key: 'demo-bare' } }],
  data: Type.Object({ deleted: Type.String() }),
  answer(_, { sandbox, pathParameter }) {
    const found = sandbox()
    const { accessKey } = findKey(found, pathParameter('key'))
    found.tenancy.removeKey(accessKey)
    return { deleted: accessKey }
  },
})

const usageCount = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 1e12, description }))

export const usageSet = controlOperation({
  id: 'usage.set',
  method: 'PUT',
  path: '/sandboxes/:id/keys/:key/usage',
  title: "Set a key's usage of this month",
  about: 'Give either the used requests, or the remaining requests of its quota.',
  params: {
    body: Type.Object({
      used: usageCount('requests used'),
      remaining: usageCount('requests left'),
    }),
  },
  examples: [{ name: 'three requests are left', body: { remaining: 3 } }],
  data: KeyView,
  answer({ body: { used, remaining } }, { sandbox, pathParameter }) {
    const found = sandbox()
    const { tenancy, clock } = found
    const key = findKey(found, pathParameter('key'))
    if ((used === undefined) === (remaining === undefined))
      throw new UserError('give one of used and remaining')
    const quota = tenancy.limitsOf(key).monthlyQuota
    if (remaining !== undefined && (quota === null || remaining > quota))
      throw new UserError(`remaining must be at most the key's quota, which is ${quota ?? 'none'}`)
    tenancy.setUsed(key, clock.nowMs(), used ?? (quota as number) - (remaining as number))
    return keyView(found, key)
  },
})

export const inviteCreate = controlOperation({
  id: 'invite.create',
  method: 'POST',
  path: '/sandboxes/:id/invites',
  title: 'Make an invite token',
  about: 'A distributor that registers with this token gets the values given here.',
  params: {
    body: Type.Object({
      inviteToken: Type.Optional(
        Type.String({
          pattern: '^[\\w-]+$',
          minLength: 4,
          maxLength: 100,
          'x-form': 'letters, digits, `_` and `-`',
          description: 'generated by default',
        }),
      ),
      name: Type.Optional(NameField),
      level: Type.Optional(NameField),
      maxSubKeys: Type.Optional(count('sub keys')),
      maxTotalQuota: Type.Optional(count('requests a month, over all sub keys')),
      maxConnections: Type.Optional(Nullable(count('sockets of a sub key'))),
      maxSubscriptions: Type.Optional(Nullable(count('subscriptions of a sub key'))),
    }),
  },
  examples: [
    {
      name: 'for a distributor of ten sub keys',
      body: { name: 'Desk', maxSubKeys: 10, maxTotalQuota: 100_000 },
    },
  ],
  data: InviteView,
  answer({ body }, { sandbox, registry }) {
    const { tenancy } = sandbox()
    const full = boundFlaw('invite tokens', tenancy.invites.size, INVITES_MAX)
    if (full !== null) throw new UserError(full)
    const token = body.inviteToken ?? tenancy.newInviteToken()
    if (body.inviteToken !== undefined && registry.ownsName(token))
      throw new UserError(`inviteToken "${token}" is taken already`)
    const presets = {
      name: body.name,
      level: body.level,
      maxSubKeys: body.maxSubKeys,
      maxTotalQuota: body.maxTotalQuota,
      maxConnections: body.maxConnections,
      maxSubscriptions: body.maxSubscriptions,
    }
    const given = Object.entries(presets).filter(([, value]) => value !== undefined)
    const invite = invitePresetsOf(Object.fromEntries(given))
    const noRoom = tenancy.records.flaw(invite)
    if (noRoom !== null) throw new UserError(noRoom)
    return inviteView(tenancy.addInvite(token, invite))
  },
})

export const inviteList = controlOperation({
  id: 'invite.list',
  method: 'GET',
  // A holder of a token can register a distributor.
  isForGuests: false,
  path: '/sandboxes/:id/invites',
  title: 'All invite tokens, with the distributors that used them',
  params: { query: PageFields },
  data: Type.Array(InviteView),
  answer: ({ query }, { sandbox }) => pageOf(sandbox().tenancy.invites, query, inviteView),
})

/** The key of a path; a NotFoundError for none. */
function findKey({ id, tenancy }: Sandbox, accessKey: string): ApiKey {
  const key = tenancy.keys.get(accessKey)
  if (key) return key
  throw new NotFoundError(
    `no key "${accessKey}" in sandbox "${id}"; there are ${someNames(tenancy.keys)}`,
  )
}
