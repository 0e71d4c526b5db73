/** Changes of the control plane while the state file cannot be written. */
import { expect, test } from 'bun:test'
import { sandboxStateOf } from '../../src/sandbox/snapshot/state-parts.ts'
import { CONTROL_OPERATIONS } from '../../src/server/control/operations.ts'
import { START_MS } from '../fixtures/fake-market.ts'
import { type ControlCall, seen, states, usedSandboxes } from '../fixtures/removable-state-file.ts'
import { tellableWorld } from '../fixtures/scheduled-market.ts'
import { stateFiles, storedRegistry } from '../fixtures/state-files.ts'

const files = stateFiles()
const { file, open, killed } = files

const SCENARIO = { title: 'Cuts', rules: [{ name: 'cut', do: { disconnect: { code: 1012 } } }] }

/** A call of each control operation that changes stored state. */
const CHANGES: Record<string, ControlCall> = {
  'bookmark.delete': { path: { bookmark: 'here' } },
  'bookmark.set': { path: { bookmark: 'there' } },
  'clock.advance': { body: { ms: 1_500 } },
  'clock.set': { body: { now: START_MS + 5_000 } },
  'invite.create': { body: {} },
  'journal.set': { body: { on: false, bytes: 0 } },
  'key.change': { path: { key: 'demo-sub' }, body: { status: 'disabled' } },
  'key.create': { body: { kind: 'sub', level: 'basic' } },
  'key.delete': { path: { key: 'demo-partner' } },
  'market.trigger': { body: { kind: 'halt', coin: 'BTC', forS: 60 } },
  'playhead.run': { body: { until: 'kind == trade' } },
  'playhead.set': { body: { speed: 3, at: 5_000, delivery: 'lossless' } },
  'playhead.step': { body: {} },
  'sandbox.create': { body: {} },
  'sandbox.drop': { path: { id: 'other' } },
  'sandbox.reset': {},
  'scenario.add': { body: SCENARIO },
  'scenario.clear': {},
  'scenario.set': { body: SCENARIO },
  'snapshot.put': {},
  'usage.set': { path: { key: 'demo-sub' }, body: { used: 77 } },
}

test('a change of the control plane is either stored, or refused without effect', async () => {
  const stored = CONTROL_OPERATIONS.filter(
    ({ method, storesNothing, path }) => method !== 'GET' && !storesNothing && path !== '/explain',
  )
  expect(Object.keys(CHANGES).sort()).toEqual(stored.map(({ id }) => id).sort())
  for (const [id, call] of Object.entries(CHANGES)) {
    const name = `control-${id}`
    const { registry, control, takeAway, putBack, lines } = await usedSandboxes(files, name)
    const sandbox = registry.get('default')
    const full = id === 'snapshot.put' && sandbox ? { body: sandboxStateOf(sandbox) } : call
    const before = seen(registry)
    takeAway()
    for (let time = 0; time < 2; time++) {
      const refused = await control(id, full)
      expect([id, refused.status, refused.body.error]).toEqual([
        id,
        507,
        `nothing was changed: the state file ${file(name)} is gone, it was deleted, moved or ` +
          'replaced: put it back, with its side file, or begin a new one',
      ])
      expect([id, seen(registry)]).toEqual([id, before])
    }
    expect([lines.length, registry.storage?.behind]).toEqual([1, true])
    putBack()
    const made = await control(id, full)
    expect([id, made.status]).toEqual([id, 200])
    expect([id, seen(registry)]).not.toEqual([id, before])
    expect([lines.length, registry.storage?.behind]).toEqual([2, false])
    const left = open(killed(name, `${name}-killed`))
    const again = await storedRegistry(left, {}, undefined, undefined, tellableWorld())
    expect(states(again)).toEqual(states(registry))
  }
})
