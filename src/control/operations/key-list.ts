import { Type } from '../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import { KeyView, keyView } from '../key-records.ts'

export const keyList = controlOperation({
  id: 'key.list',
  method: 'GET',
  path: '/sandboxes/:id/keys',
  title: 'All keys, with what they have used',
  data: Type.Array(KeyView),
  answer(_, { sandbox }) {
    const found = sandbox()
    return [...found.tenancy.keys.values()].map((key) => keyView(found, key))
  },
})
