import { Type } from '../../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import { SandboxRecord, UsageField, usedRecord } from '../sandbox-record.ts'

export const sandboxGet = controlOperation({
  id: 'sandbox.get',
  method: 'GET',
  path: '/sandboxes/:id',
  title: 'A sandbox',
  params: { query: Type.Object({ usage: UsageField }) },
  data: SandboxRecord,
  answer: ({ query }, { sandbox }) => usedRecord(query)(sandbox()),
})
