import { controlOperation } from '../control-operation.ts'
import { SandboxRecord, sandboxRecord } from '../sandbox-record.ts'

export const sandboxGet = controlOperation({
  id: 'sandbox.get',
  method: 'GET',
  path: '/sandboxes/:id',
  title: 'A sandbox',
  data: SandboxRecord,
  answer: (_, { sandbox }) => sandboxRecord(sandbox()),
})
