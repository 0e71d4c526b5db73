import { Type } from '../../contract/schema.ts'
import { controlOperation } from '../operation.ts'
import { SandboxRecord, sandboxRecord } from '../records.ts'

export const sandboxList = controlOperation({
  id: 'sandbox.list',
  method: 'GET',
  path: '/sandboxes',
  title: 'All sandboxes',
  data: Type.Array(SandboxRecord),
  answer: (_, { registry }) => registry.list().map(sandboxRecord),
})
