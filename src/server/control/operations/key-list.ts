import { Type } from '../../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import { KeyView, keyView } from '../key-records.ts'
import { PageFields, pageOf } from '../page.ts'

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
