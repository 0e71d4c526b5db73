/** Requests and connections while the state file cannot be written. */
import { expect, test } from 'bun:test'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import { SUB_KEY_OPERATIONS } from '../../src/contract/served-operations.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { StorageError } from '../../src/sandbox/sandbox-store.ts'
import { seen, states, usedSandboxes } from '../fixtures/removable-state-file.ts'
import { ALERT, stateFiles, storedRegistry } from '../fixtures/state-files.ts'

const files = stateFiles()
const { file, open, killed } = files

const SCENARIO = { title: 'Cuts', rules: [{ name: 'cut', do: { disconnect: { code: 1012 } } }] }

const LEVEL = {
  request_limits: { max_time_range: 60, max_request: 9, request_rate_limit: 100 },
  permissions: [{ resource_type: 'perpdex', actions: ['HL_TICKERS'] }],
}
type Request = [method: string, at: string, key: string, body?: object]

/** A request of each operation of the contract with changes. */
const REQUESTS: Record<string, Request> = {
  'distributor.putLevel': ['PUT', '/distributor/levels/basic', 'demo-partner', LEVEL],
  'distributor.deleteLevel': ['DELETE', '/distributor/levels/basic', 'demo-partner'],
  'distributor.register': [
    'POST',
    '/distributor/register',
    'demo',
    { invite_token: 'demo-invite' },
  ],
  'distributor.createSubKey': [
    'POST',
    '/distributor/sub-keys',
    'demo-partner',
    { name: 'ann', level: 'basic', monthly_quota: 1 },
  ],
  'distributor.changeSubKey': [
    'PUT',
    '/distributor/sub-keys/demo-sub',
    'demo-partner',
    { status: 'disabled' },
  ],
  'distributor.deleteSubKey': ['DELETE', '/distributor/sub-keys/demo-sub', 'demo-partner'],
}

test('a request with changes is either stored, or refused without effect', async () => {
  const changing = [...OPERATIONS, ...SUB_KEY_OPERATIONS].filter(({ changes }) => changes)
  // The fake market has no alerts: those are set and removed below.
  const names = changing.map(({ id }) => id).filter((id) => !id.startsWith('signal.'))
  expect(Object.keys(REQUESTS).sort()).toEqual(names.sort())
  for (const [id, [method, at, key, body]] of Object.entries(REQUESTS)) {
    const name = `contract-${id}`
    const { registry, ask, takeAway, putBack } = await usedSandboxes(files, name)
    const before = seen(registry, 'without counts')
    takeAway()
    for (let time = 0; time < 2; time++) {
      const refused = ask(method, at, key, body)
      expect([id, refused.status, refused.body]).toEqual([
        id,
        503,
        '{"code":"503","msg":"nothing was changed: try later","data":null}',
      ])
      expect([id, seen(registry, 'without counts')]).toEqual([id, before])
    }
    expect(registry.get('default')?.tenancy.invites.get('demo-invite')?.usedBy).toBeNull()
    putBack()
    expect([id, ask(method, at, key, body).status]).toEqual([id, 200])
    expect([id, seen(registry, 'without counts')]).not.toEqual([id, before])
    const again = await storedRegistry(open(killed(name, `${name}-killed`)))
    expect(states(again)).toEqual(states(registry))
  }
})

test('reads continue, and their counts are stored when there is a file again', async () => {
  const { registry, ask, control, lines, takeAway, putBack } = await usedSandboxes(files, 'reads')
  const used = () => registry.get('default')?.tenancy.usage.countOf('demo-sub')?.inMonth
  let expected = used() ?? 0
  takeAway()
  // For a few milliseconds it assumes that the file is in place.
  for (; !registry.storage?.behind; expected++) ask('GET', '/hl/tickers', 'demo-sub')
  for (let count = 0; count < 5; count++) {
    expect(ask('GET', '/hl/tickers', 'demo-sub').status).toBe(200)
    expect((await control('sandbox.get')).status).toBe(200)
    expect((await control('await', { body: { queued: 9, timeoutMs: 0 } })).status).toBe(200)
  }
  expect(used()).toBe(expected + 5)
  expect(registry.storage).toMatchObject({ behind: true, file: file('reads') })
  expect(registry.storage?.failures).toBeGreaterThan(0)
  expect(lines).toEqual([expect.stringMatching(/^the state file .* cannot be written, so changes/)])
  putBack()
  expect(ask('GET', '/hl/tickers', 'demo-sub').status).toBe(200)
  expect(registry.storage).toMatchObject({ behind: false, why: null, sinceMs: null })
  expect(lines.slice(1)).toEqual([expect.stringContaining('is written again')])
  const again = await storedRegistry(open(killed('reads', 'reads-killed')))
  expect(states(again)).toEqual(states(registry))
})

test('alerts that cannot be set or removed are unchanged', async () => {
  const { registry, takeAway, putBack } = await usedSandboxes(files, 'alerts')
  const { changes, alerts } = registry.get('default') as Sandbox
  const own = alerts.forKey('demo')
  const before = own.list()
  takeAway()
  expect(() => changes.keep(() => own.add(ALERT))).toThrow(StorageError)
  expect(() => changes.keep(() => own.remove(1))).toThrow(StorageError)
  expect(own.list()).toEqual(before)
  putBack()
  expect(changes.keep(() => own.add(ALERT))?.id).toBe(2)
  expect(changes.keep(() => own.remove(1))).toBe(true)
  const again = await storedRegistry(open(killed('alerts', 'alerts-killed')))
  expect(states(again)).toEqual(states(registry))
})

test('a scenario that cannot be stored closes no connection', async () => {
  const { control, socket, takeAway, putBack } = await usedSandboxes(files, 'connected')
  takeAway()
  await control('scenario.set', { body: SCENARIO })
  await control('key.delete', { path: { key: 'demo' } })
  await control('sandbox.reset')
  expect(socket).toMatchObject({ closeCode: null })
  putBack()
  await control('scenario.set', { body: SCENARIO })
  expect(socket).toMatchObject({ closeCode: 1012 })
})
