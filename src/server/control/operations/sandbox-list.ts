import { Type } from '../../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import { PageFields, pageOf } from '../page.ts'
import { SandboxRecord, UsageField, usedRecord } from '../sandbox-record.ts'

export const sandboxList = controlOperation({
  id: 'sandbox.list',
  method: 'GET',
  path: '/sandboxes',
  title: 'All sandboxes',
  params: { query: Type.Object({ ...PageFields.properties, usage: UsageField }) },
  data: Type.Array(SandboxRecord),
  answer: ({ query }, { registry }) => pageOf(registry.byId, query, usedRecord(query)),
})
