import { Type } from '../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import { MarkRecord } from '../mark-records.ts'

export const markList = controlOperation({
  id: 'mark.list',
  method: 'GET',
  path: '/sandboxes/:id/playhead/marks',
  title: 'Places that are remembered',
  data: Type.Array(MarkRecord),
  answer: (_, { sandbox }) => [...sandbox().marks].map(([mark, at]) => ({ mark, at })),
})
