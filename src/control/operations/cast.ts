import { Type } from '../../contract/schema.ts'
import { controlOperation } from '../operation.ts'

export const cast = controlOperation({
  id: 'cast',
  method: 'GET',
  path: '/sandboxes/:id/cast',
  title: 'Who and what one can ask for, as of now',
  data: Type.Object({}, { additionalProperties: true }),
  answer(_, { sandbox }) {
    const found = sandbox()
    const { atMs, shiftMs } = found.here()
    return found.stage.cast({ atMs, shiftMs, answers: found.answers }) as object
  },
})
