import { Type } from '../../contract/schema.ts'
import { keyNamed } from '../key-named.ts'
import { controlOperation } from '../operation.ts'

export const keyDelete = controlOperation({
  id: 'key.delete',
  method: 'DELETE',
  path: '/sandboxes/:id/keys/:key',
  title: 'Delete a key',
  data: Type.Object({ deleted: Type.String() }),
  answer(_, { sandbox, named }) {
    const found = sandbox()
    const { accessKey } = keyNamed(found, named('key'))
    found.tenancy.removeKey(accessKey)
    return { deleted: accessKey }
  },
})
