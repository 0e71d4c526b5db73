import { Type } from '../../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import { findKey } from '../key-lookup.ts'

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
