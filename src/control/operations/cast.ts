import type { Static } from '../../contract/schema.ts'
import { magicCatalogue } from '../../scenario/magic-values.ts'
import { CastRecord } from '../cast-record.ts'
import { controlOperation } from '../control-operation.ts'

export const cast = controlOperation({
  id: 'cast',
  method: 'GET',
  path: '/sandboxes/:id/cast',
  title: 'Accounts, coins and ids that can be requested, as of now',
  data: CastRecord,
  answer(_, { sandbox }) {
    const found = sandbox()
    const { atMs, shiftMs } = found.position()
    const members = found.world.cast({ atMs, shiftMs, answers: found.answers }) as Static<
      typeof CastRecord
    >
    return found.config.options.magic === 'off' ? members : { ...members, magic: magicCatalogue() }
  },
})
