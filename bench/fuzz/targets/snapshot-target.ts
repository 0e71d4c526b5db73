import { UserError } from '../../../src/platform/user-error.ts'
import { parseSandboxState } from '../../../src/sandbox/snapshot/sandbox-state.ts'
import { sandboxStateOf } from '../../../src/sandbox/snapshot/state-parts.ts'
import { fakeRegistry } from '../../../test/fixtures/fake-market.ts'
import { fuzzTarget, invariant } from '../fuzz-target.ts'
import { changed, type ValueEdit, valueEdits } from '../mutations.ts'

/** Randomly mutated snapshots: restored, or refused without changes. */
export const snapshotTarget = fuzzTarget<ValueEdit[]>({
  name: 'snapshots',
  about: 'snapshots of sandboxes',
  perSecond: 300,
  async open() {
    const registry = await fakeRegistry()
    const good = JSON.parse(JSON.stringify(sandboxStateOf(registry.list()[0] as never)))
    return {
      scripts: valueEdits,
      async check(edits) {
        const before = registry.list().length
        let isRefused = false
        try {
          await registry.copy(parseSandboxState(changed(good, edits)), { name: 'fuzzed' })
        } catch (error) {
          if (!(error instanceof UserError)) throw error
          isRefused = true
        }
        const after = registry.list().length
        invariant(after === before + (isRefused ? 0 : 1), () => `${after} sandboxes, of ${before}`)
        const copy = registry.get('fuzzed')
        // A restored sandbox gives an equivalent snapshot.
        if (copy) parseSandboxState(JSON.parse(JSON.stringify(sandboxStateOf(copy))))
        registry.drop('fuzzed')
      },
      close: () => registry.close(),
    }
  },
})
