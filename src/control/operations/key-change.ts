import { Complaint } from '../../complaint.ts'
import { OneOf, Type } from '../../contract/schema.ts'
import { changeKey } from '../../sandbox/tenancy/key-desk.ts'
import { keyNamed } from '../key-named.ts'
import { KeyView, keyView, LimitFields, NameField, PermissionsField } from '../key-records.ts'
import { controlOperation } from '../operation.ts'

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
  data: KeyView,
  answer({ body }, { sandbox, named }) {
    const found = sandbox()
    const key = keyNamed(found, named('key'))
    const changed = changeKey(found.tenancy, key, body)
    if (typeof changed === 'string') throw new Complaint(changed)
    return keyView(found, changed)
  },
})
