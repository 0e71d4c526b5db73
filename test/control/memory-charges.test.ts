/** Everything that a sandbox keeps for its tenants is charged to it, and released with it. */
import { expect, test } from 'bun:test'
import { oneSlice } from '../../src/clock/turns.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { FrameInbox } from '../../src/sandbox/session/frame-inbox.ts'
import type { Session } from '../../src/sandbox/session/session.ts'
import type { ApiKey } from '../../src/sandbox/tenancy/api-key.ts'
import { levelConfigOf } from '../../src/sandbox/tenancy/initial-tenancy.ts'
import { serve } from '../fixtures/test-server.ts'

const MB = 1 << 20
const LONG = 'l'.repeat(MB / 4)

async function server() {
  const { control, registry, origin } = await serve()
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await control(method, `/sandboxes/mine${path}`, body)
    return { status: answer.status, body: answer.body as unknown as Record<string, string> }
  }
  const sandbox = await registry.create({ name: 'mine' })
  return { call, registry, sandbox, origin }
}

const alertOf = (remark: string) => ({ subType: 's', symbol: 'x', remark, shownMs: 0, price: '1' })
const direct = ({ tenancy }: Sandbox, name: string): ApiKey =>
  tenancy.addKey({ ...tenancy.newKeyPair(), kind: 'direct', name } as ApiKey)

test('a dropped sandbox leaves nothing, however it was used', async () => {
  const { call, registry, origin } = await server()
  registry.drop('mine')
  const before = { ...registry.memory.held }
  const mine = await registry.create({ name: 'mine' })
  const live = new AbortController()
  const journal = await fetch(`${origin}/_control/sandboxes/mine/journal`, {
    headers: { accept: 'text/event-stream' },
    signal: live.signal,
  })
  await journal.body?.getReader().read()
  for (const [method, path, body] of [
    ['PUT', '/scenario', { title: 'x', rules: [{ name: 'n'.repeat(90), do: 'stale' }] }],
    ['POST', '/keys', { kind: 'direct', name: 'one' }],
    ['POST', '/keys', { kind: 'partner', name: 'two' }],
    ['POST', '/invites', { name: 'three' }],
    ['PUT', '/playhead/bookmarks/four', {}],
    ['PUT', '/journal', { on: true, bytes: MB }],
  ] as const)
    expect([path, (await call(method, path, body)).status]).toEqual([path, 200])
  mine.alerts.forKey('x').add(alertOf('five'))
  const { body: snapshot } = await call('GET', '/snapshot')
  expect((await call('PUT', '/snapshot', snapshot)).status).toBe(200)
  expect((await call('POST', '/reset')).status).toBe(200)
  for (let n = 0; n < 3; n++)
    await call('POST', '/keys', { kind: 'direct', name: LONG.slice(0, 90) })
  const restored = registry.get('mine') as Sandbox
  expect(restored.memory.held.records).toBeGreaterThan(mine.memory.held.records)
  live.abort()
  registry.drop('mine')
  expect(registry.memory.held).toEqual(before)
})

test('records are charged, and refused without room', async () => {
  const { sandbox, registry, call } = await server()
  const { memory, tenancy, alerts, keys } = sandbox
  const initial = memory.held.records
  const distributor = tenancy.distributors.get(keys.partner.accessKey)
  if (!distributor) throw new Error('there is no distributor')
  const level = { ...levelConfigOf([]), permissions: [{ resource_type: 'api', actions: [LONG] }] }
  for (const put of [
    () => direct(sandbox, LONG),
    () => tenancy.putLevel(distributor, 'large', level as never),
    () => tenancy.addInvite('token', { ...distributor, name: LONG }),
    () => alerts.forKey('k').add(alertOf(LONG)),
  ]) {
    const before = memory.held.records
    put()
    expect(memory.held.records - before).toBeGreaterThan(LONG.length)
    expect(memory.held.records - before).toBeLessThan(LONG.length + 1_000)
  }
  // A replacement is charged in place of the old record.
  const before = memory.held.records
  tenancy.putLevel(distributor, 'large', level as never)
  expect(memory.held.records).toBe(before)
  expect((await call('POST', '/reset')).status).toBe(200)
  expect(memory.held.records).toBe(initial)
  while (memory.hasRoomFor(LONG.length + 1_000)) direct(sandbox, LONG)
  memory.add('faults', LONG.length)
  const kept = memory.held.records
  for (const [path, body] of [
    ['/keys', { kind: 'direct', name: 'n' }],
    ['/keys', { kind: 'sub', level: 'basic', name: 'n' }],
    ['/invites', { name: 'n' }],
  ] as const) {
    const refusal = await call('POST', path, body)
    expect([path, refusal.status, refusal.body.error]).toEqual([
      path,
      400,
      expect.stringContaining('there is no memory for it: delete keys, levels or alerts'),
    ])
  }
  expect(sandbox.alerts.forKey('k').add(alertOf('r'))).toBeNull()
  expect(memory.held.records).toBe(kept)
  expect((await call('GET', '/snapshot')).body.error).toMatch(/would have some \d+ bytes/)
  registry.drop('mine')
})

test('alerts are removed with the key that set them', async () => {
  const { sandbox } = await server()
  const before = sandbox.memory.held.records
  for (let n = 0; n < 50; n++) {
    const { accessKey } = direct(sandbox, 'k')
    for (let m = 0; m < 100; m++) sandbox.alerts.forKey(accessKey).add(alertOf(LONG.slice(0, 999)))
    sandbox.tenancy.removeKey(accessKey)
  }
  expect(sandbox.alerts.list()).toEqual([])
  expect(sandbox.memory.held.records).toBe(before)
})

test('waiting messages are charged, and without room the socket is closed', async () => {
  const { sandbox } = await server()
  const { memory } = sandbox
  const works: Iterator<unknown>[] = []
  const closed: string[] = []
  const session = {
    idleTimeout: { noteActivity() {} },
    receive: () => oneSlice(() => {}),
    close: (reason: string) => closed.push(reason),
  }
  const before = memory.held.queues
  const inbox = new FrameInbox(session as unknown as Session, (work) => works.push(work), memory)
  for (let n = 0; n < 4; n++) inbox.receive(LONG)
  expect(memory.held.queues - before).toBe(MB)
  memory.add('faults', memory.boundBytes)
  inbox.receive(LONG)
  expect(closed).toEqual(['the sandbox has no memory for more messages'])
  for (const work of works) while (!work.next().done);
  expect(memory.held.queues).toBe(before)
})

test('a journal counts the paths, rules and subjects of its entries', async () => {
  const { sandbox } = await server()
  const entry = { kind: 'request', method: 'GET', query: '', body: '', answer: null, refused: 'r' }
  const texts = { path: LONG, rule: LONG, subject: LONG, lenient: [] }
  const before = sandbox.journal.keptBytes
  sandbox.journal.record({ ...entry, ...texts } as never)
  expect(sandbox.journal.keptBytes - before).toBeGreaterThan(3 * LONG.length)
  expect(sandbox.memory.held.journal).toBe(sandbox.journal.keptBytes)
})
