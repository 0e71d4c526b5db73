import { withLapIds } from '../../../contract/lap-ids.ts'
import type { Static } from '../../../contract/schema.ts'
import { magicCatalogue } from '../../../sandbox/scenario/magic-values.ts'
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
    const { atMs, shiftMs, lap } = found.position()
    const known = found.world.cast({ atMs, shiftMs, answers: found.answers })
    const members = withLapIds(CastRecord, known, lap) as Static<typeof CastRecord>
    return found.config.options.magic === 'off' ? members : { ...members, magic: magicCatalogue() }
  },
})
