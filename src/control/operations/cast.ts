import { Type } from '../../contract/schema.ts'
import { magicCatalogue } from '../../scenario/magic-values.ts'
import { controlOperation } from '../control-operation.ts'

export const cast = controlOperation({
  id: 'cast',
  method: 'GET',
  path: '/sandboxes/:id/cast',
  title: 'Who and what one can ask for, as of now',
  data: Type.Object({}, { additionalProperties: true }),
  answer(_, { sandbox }) {
    const found = sandbox()
    const { atMs, shiftMs } = found.position()
    const who = found.world.cast({ atMs, shiftMs, answers: found.answers }) as object
    return found.config.options.magic === 'off' ? who : { ...who, magic: magicCatalogue() }
  },
})
