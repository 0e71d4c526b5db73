import { controlOperation } from '../control-operation.ts'
import { findKey } from '../key-lookup.ts'
import { KeyView, keyView } from '../key-records.ts'

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
