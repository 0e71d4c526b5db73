import { tellFromStart } from '../../sandbox/market-events/scenario-market.ts'
import { controlOperation } from '../control-operation.ts'
import { SandboxRecord, sandboxRecord } from '../sandbox-record.ts'

export const sandboxReset = controlOperation({
  id: 'sandbox.reset',
  method: 'POST',
  path: '/sandboxes/:id/reset',
  endsOthers: true,
  title: 'Make a sandbox as it was',
  about: 'Clock, playhead and state are as they were when it was made; its connections are closed.',
  data: SandboxRecord,
  *answer(_, { sandbox }) {
    const found = sandbox()
    found.reset()
    yield* tellFromStart(found)
    return sandboxRecord(found)
  },
})
