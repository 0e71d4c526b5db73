import { SandboxState } from '../../sandbox/snapshot/sandbox-state.ts'
import { sandboxStateOf } from '../../sandbox/snapshot/state-parts.ts'
import { controlOperation } from '../control-operation.ts'

export const snapshotGet = controlOperation({
  id: 'snapshot.get',
  method: 'GET',
  path: '/sandboxes/:id/snapshot',
  title: "A sandbox's state, to be saved as a file",
  about:
    'Keys, levels, invites, usage, alerts, clock, playhead, bookmarks and answers to open ' +
    'questions. Secret keys are inside by nature: keep the file as you keep them. ' +
    'Connections and the entries of the journal are not.',
  data: SandboxState,
  answer: (_, { sandbox }) => sandboxStateOf(sandbox()),
})
