import { Type } from '../../contract/schema.ts'
import { controlOperation } from '../operation.ts'
import { SandboxRecord, sandboxRecord } from '../records.ts'
import { settled } from '../settling.ts'

export const clockAdvance = controlOperation({
  id: 'clock.advance',
  method: 'POST',
  path: '/sandboxes/:id/clock/advance',
  title: 'Move the clock forward',
  about:
    'Answers when every alarm that fell due has rung, in order, and every push has been queued. ' +
    "A move that ages signatures also waits for the machine's next second, because a `Timestamp` " +
    'names no less: one signed before is then older, one signed after is fresh.',
  params: {
    body: Type.Object({
      ms: Type.Integer({ minimum: 0, maximum: 40_000_000_000, description: 'how far, ms' }),
    }),
  },
  data: SandboxRecord,
  async answer({ body }, { sandbox }) {
    const found = sandbox()
    await found.clock.advance(body.ms, () => settled(found))
    found.player.catchUp()
    await found.clock.untilSignaturesDiffer()
    return sandboxRecord(found)
  },
})
