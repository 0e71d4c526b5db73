/** Control calls about snapshots: the whole state of a sandbox as JSON. */

import { awaited } from '../../../clock/turns.ts'
import { Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
import { readSandboxState, SandboxState } from '../../../sandbox/snapshot/sandbox-state.ts'
import { sandboxStateOf } from '../../../sandbox/snapshot/state-parts.ts'
import { controlOperation, jsonText, WrittenJson } from '../control-operation.ts'
import { SandboxRecord, sandboxRecord } from '../sandbox-record.ts'

// A snapshot as a request body, and its bounds.

/** Maximum size of a snapshot, written and read. */
const SNAPSHOT_MAX_BYTES = 3_500_000

/** Its fields are checked after its version. */
export const SnapshotFields = Type.Object(
  { format: Type.Optional(Type.String()), version: Type.Optional(Type.Integer()) },
  {
    title: 'Snapshot',
    additionalProperties: true,
    description: 'a snapshot, unchanged',
  },
)

export const snapshotGet = controlOperation({
  id: 'snapshot.get',
  method: 'GET',
  // It contains secret keys.
  isForGuests: false,
  path: '/sandboxes/:id/snapshot',
  title: "A sandbox's state, to save as a file",
  about:
    'Contains keys, levels, invites, usage, alerts, clock, playhead, bookmarks and answers to ' +
    'open questions. It contains secret keys, so protect the file like the keys. It contains ' +
    `no connections and no journal entries. It has at most ${SNAPSHOT_MAX_BYTES} bytes.`,
  data: SandboxState,
  *answer(_, { sandbox }) {
    const { id, memory } = sandbox()
    memory.whole.checkRoom()
    const { records, scenarios } = memory.held
    // A far too large snapshot is not serialised to be measured.
    if (records > 4 * SNAPSHOT_MAX_BYTES) throw tooLarge(id, `some ${records}`)
    memory.add('calls', records + scenarios)
    try {
      const text = yield* jsonText(sandboxStateOf(sandbox()))
      const bytes = Buffer.byteLength(text)
      if (bytes > SNAPSHOT_MAX_BYTES) throw tooLarge(id, `${bytes}`)
      return new WrittenJson(text)
    } finally {
      memory.add('calls', -records - scenarios)
    }
  },
})

const tooLarge = (id: string, bytes: string): UserError =>
  new UserError(
    `the snapshot of "${id}" would have ${bytes} bytes, and at most ${SNAPSHOT_MAX_BYTES} ` +
      'are taken back: delete keys, levels, alerts or bookmarks, or reset the sandbox',
  )

export const snapshotPut = controlOperation({
  id: 'snapshot.put',
  method: 'PUT',
  path: '/sandboxes/:id/snapshot',
  dropsSandbox: true,
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
