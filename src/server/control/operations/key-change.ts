import { OneOf, Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
import { changeKey } from '../../../sandbox/tenancy/key-management.ts'
import { controlOperation } from '../control-operation.ts'
import { findKey } from '../key-lookup.ts'
import { KeyView, keyView, LimitFields, NameField, PermissionsField } from '../key-records.ts'

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
