/** A state file that cannot be written: what is refused has not happened, what is read goes on. */
import { expect, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { OPERATIONS } from '../../src/contract/index.ts'
import { SUB_KEY_OPERATIONS } from '../../src/contract/sub-key-operations.ts'
import { controlRoutes } from '../../src/control/index.ts'
import { CONTROL_OPERATIONS } from '../../src/control/operations.ts'
import type { Registry } from '../../src/sandbox/registry.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { sandboxStateOf } from '../../src/sandbox/snapshot/state-parts.ts'
import { StorageError } from '../../src/sandbox/storage-status.ts'
import { memoryTransport } from '../../src/transport/memory/memory-transport.ts'
import { START_MS, signed } from '../fixtures/fake-market.ts'
import { ALERT, comparableState, stateFiles, storedRegistry } from '../fixtures/state-files.ts'

const PREFIX = '/api/upgrade/v2'
const { file, open, killed } = stateFiles()

interface Call {
  path?: Record<string, string>
  body?: object
}

const SCENARIO = { title: 'Cuts', rules: [{ name: 'cut', do: { disconnect: { code: 1012 } } }] }

/** A call of each operation of the control plane that changes what is stored. */
const CHANGES: Record<string, Call> = {
  'bookmark.delete': { path: { bookmark: 'here' } },
  'bookmark.set': { path: { bookmark: 'there' } },
  'clock.advance': { body: { ms: 1_500 } },
  'clock.set': { body: { now: START_MS + 5_000 } },
  'invite.create': { body: {} },
  'journal.set': { body: { on: false, bytes: 0 } },
  'key.change': { path: { key: 'demo-sub' }, body: { status: 'disabled' } },
  'key.create': { body: { kind: 'sub', level: 'basic' } },
  'key.delete': { path: { key: 'demo-partner' } },
  'playhead.run': { body: { until: 'kind == trade' } },
  'playhead.set': { body: { speed: 3, at: 5_000 } },
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

/** A used sandbox with a connection, another one, and a file that can be taken away. */
async function usedSandboxes(name: string) {
  const lines: string[] = []
  const questions = { 'sub-key-paths': 'mirrored', 'nonce-reuse': 'reject' } as const
  const registry = await storedRegistry(open(name), { questions }, undefined, (line) =>
    lines.push(line),
  )
  await registry.create({ name: 'other' })
  const { request, connect } = memoryTransport(registry)
  const control = controlCaller(registry)
  await control('bookmark.set', { path: { bookmark: 'here' } })
  await control('scenario.set', { body: { title: 'None', rules: [] } })
  registry.get('default')?.alerts.forKey('demo').add(ALERT)
  const socket = connect(`${PREFIX}/hl/ws?${signed('demo')}`)
  const ask = (method: string, at: string, key: string, body?: object) =>
    request(method, `${PREFIX}${at}?${signed(key)}`, body ? JSON.stringify(body) : '')
  ask('GET', '/hl/tickers', 'demo-sub')
  return { registry, control, ask, lines, socket, ...movable(name) }
}

function movable(name: string) {
  const move = (from: string, to: string) => {
    for (const end of ['', '-wal']) renameSync(file(from + end), file(to + end))
  }
  return { takeAway: () => move(name, `${name}-away`), putBack: () => move(`${name}-away`, name) }
}

function controlCaller(registry: Registry) {
  const routes = controlRoutes(registry, { token: null })
  return async (id: string, { path = {}, body = {} }: Call = {}) => {
    const operation = CONTROL_OPERATIONS.find((one) => one.id === id)
    const route = routes.find(
      (one) => one.method === operation?.method && one.path === `/_control${operation?.path ?? ''}`,
    )
    const answer = await route?.answer({
      params: { id: 'default', ...path },
      query: '',
      body: JSON.stringify(body),
      headers: new Headers(),
      origin: 'http://localhost',
    })
    return { status: answer?.status, body: JSON.parse(String(answer?.body)) }
  }
}

/** All that clients can see and the file should have; what is counted by requests if wanted. */
function seen(registry: Registry, counts: 'with counts' | 'without counts' = 'with counts') {
  const uncounted = counts === 'with counts' ? {} : { usage: null, nonces: null }
  const all = registry.list().map((sandbox) => ({
    ...comparableState(sandbox),
    ...uncounted,
    names: ['demo', 'demo-partner', 'demo-invite'].map((name) => registry.ownsName(name)),
    answers: sandbox.answers,
    hasConnections: sandbox.hasConnections,
  }))
  return JSON.parse(JSON.stringify(all))
}

test('each change of the control plane is refused and has not happened, or is made and stored', async () => {
  const stored = CONTROL_OPERATIONS.filter(
    ({ method, storesNothing, path }) => method !== 'GET' && !storesNothing && path !== '/explain',
  )
  expect(Object.keys(CHANGES).sort()).toEqual(stored.map(({ id }) => id).sort())
  for (const [id, call] of Object.entries(CHANGES)) {
    const name = `control-${id}`
    const { registry, control, takeAway, putBack, lines } = await usedSandboxes(name)
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
    const again = await storedRegistry(open(killed(name, `${name}-killed`)))
    expect(states(again)).toEqual(states(registry))
  }
})

const states = (registry: Registry) =>
  Object.fromEntries(registry.list().map((sandbox) => [sandbox.id, comparableState(sandbox)]))

const LEVEL = {
  request_limits: { max_time_range: 60, max_request: 9, request_rate_limit: 100 },
  permissions: [{ resource_type: 'perpdex', actions: ['HL_TICKERS'] }],
}
type Request = [method: string, at: string, key: string, body?: object]

/** A request of each operation of the contract that changes something. */
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

test('each request that changes something is refused and has not happened, or is stored', async () => {
  const changing = [...OPERATIONS, ...SUB_KEY_OPERATIONS].filter(({ changes }) => changes)
  // The fake market has no alerts: those are set and removed below.
  const names = changing.map(({ id }) => id).filter((id) => !id.startsWith('signal.'))
  expect(Object.keys(REQUESTS).sort()).toEqual(names.sort())
  for (const [id, [method, at, key, body]] of Object.entries(REQUESTS)) {
    const name = `contract-${id}`
    const { registry, ask, takeAway, putBack } = await usedSandboxes(name)
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

test('reads go on and are counted, and what was counted is stored when there is a file again', async () => {
  const { registry, ask, control, lines, takeAway, putBack } = await usedSandboxes('reads')
  const used = () => registry.get('default')?.tenancy.usage.countOf('demo-sub')?.inMonth
  let expected = used() ?? 0
  takeAway()
  // For a few milliseconds it counts on the file to be where it was.
  for (; !registry.storage?.behind; expected++) ask('GET', '/hl/tickers', 'demo-sub')
  for (let count = 0; count < 5; count++) {
    expect(ask('GET', '/hl/tickers', 'demo-sub').status).toBe(200)
    expect((await control('sandbox.get')).status).toBe(200)
    expect((await control('await.settled', { body: { queued: 9, timeoutMs: 0 } })).status).toBe(200)
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

test('alerts that cannot be set or removed are as they were', async () => {
  const { registry, takeAway, putBack } = await usedSandboxes('alerts')
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
  const { control, socket, takeAway, putBack } = await usedSandboxes('connected')
  takeAway()
  await control('scenario.set', { body: SCENARIO })
  await control('key.delete', { path: { key: 'demo' } })
  await control('sandbox.reset')
  expect(socket).toMatchObject({ closeCode: null })
  putBack()
  await control('scenario.set', { body: SCENARIO })
  expect(socket).toMatchObject({ closeCode: 1012 })
})
