import { keyNamed } from '../key-named.ts'
import { KeyView, keyView } from '../key-records.ts'
import { controlOperation } from '../operation.ts'

export const keyGet = controlOperation({
  id: 'key.get',
  method: 'GET',
  path: '/sandboxes/:id/keys/:key',
  title: 'A key, with what it has used',
  data: KeyView,
  answer(_, { sandbox, named }) {
    const found = sandbox()
    return keyView(found, keyNamed(found, named('key')))
  },
})
