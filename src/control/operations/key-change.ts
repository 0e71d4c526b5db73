import { OneOf, Type } from '../../contract/schema.ts'
import { changeKey } from '../../sandbox/tenancy/key-management.ts'
import { UserError } from '../../user-error.ts'
import { controlOperation } from '../control-operation.ts'
import { findKey } from '../key-lookup.ts'
import { KeyView, keyView, LimitFields, NameField, PermissionsField } from '../key-records.ts'

export const keyChange = controlOperation({
  id: 'key.change',
  method: 'PUT',
  path: '/sandboxes/:id/keys/:key',
  title: 'Change a key',
  about: 'What is left out stays as it is. It counts from the next request on.',
  params: {
    body: Type.Object({
      name: Type.Optional(NameField),
      level: Type.Optional(Type.String({ description: 'of a sub key' })),
      permissions: Type.Optional(PermissionsField),
      status: Type.Optional(OneOf(['active', 'disabled'], 'whether it is let in')),
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
