import { Type } from '../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import { SandboxRecord, sandboxRecord } from '../sandbox-record.ts'

export const sandboxList = controlOperation({
  id: 'sandbox.list',
  method: 'GET',
  path: '/sandboxes',
  title: 'All sandboxes',
  data: Type.Array(SandboxRecord),
  answer: (_, { registry }) => registry.list().map(sandboxRecord),
})
