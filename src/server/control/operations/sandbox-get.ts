import { Type } from '../../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import { SandboxRecord, sandboxRecord, usageOf } from '../sandbox-record.ts'

export const sandboxGet = controlOperation({
  id: 'sandbox.get',
  method: 'GET',
  path: '/sandboxes/:id',
  title: 'A sandbox',
  about: 'With `usage=true` also what it uses of the server, which is not the same in two runs.',
  params: {
    query: Type.Object({
      usage: Type.Optional(Type.Boolean({ description: 'add memory and processor time' })),
    }),
  },
  data: SandboxRecord,
  answer({ query }, { sandbox }) {
    const record = sandboxRecord(sandbox())
    return query.usage ? { ...record, usage: usageOf(sandbox()) } : record
  },
})
