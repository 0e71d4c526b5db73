import { tellFromStart } from '../../../sandbox/market-events/scenario-coins.ts'
import { controlOperation } from '../control-operation.ts'
import { SandboxRecord, sandboxRecord } from '../sandbox-record.ts'

export const sandboxReset = controlOperation({
  id: 'sandbox.reset',
  method: 'POST',
  path: '/sandboxes/:id/reset',
  endsOthers: true,
  title: 'Reset a sandbox',
  about: 'Clock, playhead and state return to the time when it was made. Closes its connections.',
  data: SandboxRecord,
  *answer(_, { sandbox }) {
    const found = sandbox()
    found.reset()
    yield* tellFromStart(found)
    return sandboxRecord(found)
  },
})
