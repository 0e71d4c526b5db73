import { awaited } from '../../../clock/turns.ts'
import { readSandboxState } from '../../../sandbox/snapshot/sandbox-state.ts'
import { controlOperation } from '../control-operation.ts'
import { SandboxRecord, sandboxRecord } from '../sandbox-record.ts'
import { SNAPSHOT_MAX_BYTES, SnapshotFields } from '../snapshot-fields.ts'

export const snapshotPut = controlOperation({
  id: 'snapshot.put',
  method: 'PUT',
  path: '/sandboxes/:id/snapshot',
  endsOthers: true,
  maxBodyBytes: SNAPSHOT_MAX_BYTES,
  bodyBounds: { elements: 400_000, textLength: 256 << 10 },
  title: 'Restore a sandbox from a snapshot',
  about:
    'The sandbox then answers like the one the snapshot was taken from, and `reset` returns to ' +
    'this state. Connections are closed. A held clock keeps its time; a running clock has run on ' +
    'with the machine. The snapshot must be of the same world.',
  params: { body: SnapshotFields },
  examples: [],
  data: SandboxRecord,
  *answer({ body }, { registry, sandbox }) {
    const { id } = sandbox()
    const state = yield* readSandboxState(body)
    return sandboxRecord(yield* awaited(registry.replace(id, state)))
  },
})
