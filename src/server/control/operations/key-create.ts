import { OneOf, Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
import { createKey } from '../../../sandbox/tenancy/key-management.ts'
import { PLANS } from '../../../sandbox/tenancy/plans.ts'
import { controlOperation } from '../control-operation.ts'
import { KeyView, keyView, LimitFields, NameField, PermissionsField } from '../key-records.ts'

export const keyCreate = controlOperation({
  id: 'key.create',
  method: 'POST',
  path: '/sandboxes/:id/keys',
  title: 'Make a key',
  about:
    'A sub key has the permissions of its level, and starts with the quota of its level. A ' +
    'direct key has its own permissions and limits, or those of a plan. A partner is a ' +
    'distributor. The secret key is shown only here.',
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
