import { Type } from '../../contract/schema.ts'
import { magicValues } from '../../scenario/magic.ts'
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
    const who = found.stage.cast({ atMs, shiftMs, answers: found.answers }) as object
    return found.terms.wish.magic === 'off' ? who : { ...who, magic: magicValues() }
  },
})
