import { UserError } from '../../../platform/user-error.ts'
import { SandboxState } from '../../../sandbox/snapshot/sandbox-state.ts'
import { sandboxStateOf } from '../../../sandbox/snapshot/state-parts.ts'
import { controlOperation } from '../control-operation.ts'
import { jsonText, WrittenJson } from '../json-text.ts'
import { SNAPSHOT_MAX_BYTES } from '../snapshot-fields.ts'

export const snapshotGet = controlOperation({
  id: 'snapshot.get',
  method: 'GET',
  // There are secret keys in it.
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
    // What is far too large is not written to be measured.
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
