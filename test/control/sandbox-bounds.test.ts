/** The bounds of a process and a sandbox: a refusal names the bound, and changes nothing. */
import { expect, test } from 'bun:test'
import { credentials } from '../../src/contract/signature.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { controlCaller } from '../fixtures/control-caller.ts'
import { fakeRegistry, fakeWorld, signed } from '../fixtures/fake-market.ts'
import { fixedClock, fixedClockS } from '../fixtures/fixed-clock.ts'
import { PREFIX } from '../fixtures/test-server.ts'

async function sandbox(options = {}) {
  const registry = await fakeRegistry()
  const mine = await registry.create({ name: 'mine', ...options })
  return { registry, mine, ask: controlCaller(registry) }
}

test('sandboxes of a process are bounded, also when created at the same time', async () => {
  const world = fakeWorld()
  const gate = Promise.withResolvers<void>()
  let isOpen = false
  const worlds = async () => {
    if (isOpen) await gate.promise
    return world
  }
  const options = { clock: 'held' } as const
  const registry = new Registry(worlds, [], options, fixedClock, undefined, undefined, 3)
  await registry.open()
  isOpen = true
  const ask = controlCaller(registry)
  const made = Array.from({ length: 4 }, () => ask('sandbox.create', { body: {} }))
  gate.resolve()
  const answers = await Promise.all(made)
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 400])
  const error =
    'there are 3 sandboxes, at most 3 (serve --max-sandboxes): ' +
    'drop some before another one is made'
  expect(answers[3]?.body).toEqual({ error })
  expect((await ask('sandbox.create', { body: { name: 'more' } })).body).toEqual({ error })
  registry.drop('s1')
  expect((await ask('sandbox.create', { body: { name: 'more' } })).status).toBe(200)
})

test('keys of a sandbox are bounded', async () => {
  const { mine, ask } = await sandbox()
  const { full } = mine.keys
  for (let n = mine.tenancy.keys.size; n < 5_000; n++)
    mine.tenancy.addKey({ ...full, accessKey: `more-${n}` })
  const error = 'there are 5000 keys, at most 5000'
  expect((await ask('key.create', { body: { kind: 'direct' } })).body).toEqual({ error })
  expect((await ask('key.create', { body: { kind: 'sub', level: 'basic' } })).body).toEqual({
    error,
  })
  mine.tenancy.removeKey('more-4999')
  expect((await ask('key.create', { body: { kind: 'direct' } })).status).toBe(200)
})

test('invite tokens and bookmarks of a sandbox are bounded', async () => {
  const { mine, ask } = await sandbox()
  const { presets } = [...mine.tenancy.invites.values()][0] ?? { presets: {} as never }
  for (let n = mine.tenancy.invites.size; n < 1_000; n++) mine.tenancy.addInvite(`t-${n}`, presets)
  expect((await ask('invite.create', { body: {} })).body.error).toBe(
    'there are 1000 invite tokens, at most 1000',
  )
  for (let n = 0; n < 1_000; n++) mine.bookmarks.set(`b${n}`, n)
  const set = (bookmark: string) =>
    ask('bookmark.set', { params: { id: 'mine', bookmark }, body: { at: 1 } })
  expect((await set('one-more')).body.error).toBe('there are 1000 bookmarks, at most 1000')
  expect((await set('b7')).status).toBe(200)
})

const scenario = (count: number) => ({
  name: 'long',
  title: 'many rules',
  rules: Array.from({ length: count }, () => ({ do: 'empty' })),
})

test('active rules are bounded; a refusal keeps the active ones', async () => {
  const { ask, registry } = await sandbox()
  const error = 'with it 600 rules of scenarios would be on, at most 500: take some off first'
  expect((await ask('scenario.set', { body: scenario(300) })).status).toBe(200)
  expect((await ask('scenario.add', { body: scenario(300) })).body).toEqual({ error })
  const tooMany = { error: 'scenario: rules has 600 entries, at most 500' }
  expect((await ask('scenario.set', { body: scenario(600) })).body).toEqual(tooMany)
  const create = { body: { name: 'other', scenario: scenario(600) } }
  expect((await ask('sandbox.create', create)).body).toEqual(tooMany)
  expect(registry.list().map(({ id }) => id)).toEqual(['default', 'mine'])
  const { body: snapshot } = await ask('snapshot.get')
  const [one] = snapshot.progress.scenarios
  snapshot.progress.scenarios = [one, one]
  expect((await ask('snapshot.put', { body: snapshot })).body).toEqual({ error })
  const { scenarios } = (await ask('scenario.get')).body
  expect(scenarios.map(({ rules }: { rules: string[] }) => rules.length)).toEqual([300])
})

test('the newest nonces are remembered, and a long one by its digest', async () => {
  const { mine, registry } = await sandbox({ questions: { 'nonce-reuse': 'reject' } })
  const { accessKey, secretKey } = mine.keys.full
  const transport = memoryTransport(registry)
  const statusOf = (query: string) =>
    transport.request('GET', `${PREFIX}/hl/tickers?${query}`).status
  const first = signed(accessKey, 0, secretKey)
  expect([statusOf(first), statusOf(first)]).toEqual([200, 401])
  for (let n = 0; n < 9_999; n++) mine.nonces.set(`n-${n}`, mine.clock.nowMs() + 60_000)
  expect(mine.nonces.size).toBe(10_000)
  const second = signed(accessKey, 0, secretKey)
  expect([statusOf(second), statusOf(second)]).toEqual([200, 401])
  expect([mine.nonces.size, statusOf(first)]).toEqual([10_000, 200])
  const nonce = 'n'.repeat(3_000)
  const parts = credentials({ accessKey, secretKey, nonce, timestampS: fixedClockS() })
  const long = new URLSearchParams({ ...parts }).toString()
  expect([statusOf(long), statusOf(long)]).toEqual([200, 401])
  for (const name of mine.nonces.keys()) expect(name.length).toBeLessThan(100)
})
