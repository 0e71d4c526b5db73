import { controlOperation } from '../operation.ts'
import { SandboxRecord, sandboxRecord } from '../records.ts'

export const sandboxGet = controlOperation({
  id: 'sandbox.get',
  method: 'GET',
  path: '/sandboxes/:id',
  title: 'A sandbox',
  data: SandboxRecord,
  answer: (_, { sandbox }) => sandboxRecord(sandbox()),
})
