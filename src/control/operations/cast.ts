import { Type } from '../../contract/schema.ts'
import { magicCatalogue } from '../../scenario/magic-values.ts'
import { controlOperation } from '../control-operation.ts'

export const cast = controlOperation({
  id: 'cast',
  method: 'GET',
  path: '/sandboxes/:id/cast',
  title: 'Accounts, coins and ids that can be requested, as of now',
  data: Type.Object({}, { additionalProperties: true }),
  answer(_, { sandbox }) {
    const found = sandbox()
    const { atMs, shiftMs } = found.position()
    const members = found.world.cast({ atMs, shiftMs, answers: found.answers }) as object
    return found.config.options.magic === 'off' ? members : { ...members, magic: magicCatalogue() }
  },
})
