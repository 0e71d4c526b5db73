/** The size of a snapshot: one that is given can be restored, and a larger one is refused. */
import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { parseScenario } from '../../src/sandbox/scenario/scenario-parser.ts'
import {
  readSandboxState,
  restoredScenario,
  type SandboxState,
} from '../../src/sandbox/snapshot/sandbox-state.ts'
import { invitePresetsOf } from '../../src/sandbox/tenancy/key-management.ts'
import { serve } from '../fixtures/test-server.ts'

async function server() {
  const { control, registry } = await serve({ questions: { 'nonce-reuse': 'reject' } })
  const mine = await registry.create({ name: 'mine' })
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await control(method, path, body)
    return { status: answer.status, body: answer.body as unknown as Record<string, unknown> }
  }
  return { ask, registry, mine }
}

/** The maximum of a sandbox: keys that have called, invites, bookmarks and nonces. */
function fill({ tenancy, keys, nonces, bookmarks, clock }: Sandbox): void {
  while (tenancy.keys.size < 5_000) {
    const key = tenancy.addKey({ ...keys.full, ...tenancy.newKeyPair() })
    tenancy.count(key, clock.nowMs())
    for (const n of [1, 2]) nonces.set(`${key.accessKey}/${crypto.randomUUID()}${n}`, 1e14)
  }
  const presets = invitePresetsOf({})
  while (tenancy.invites.size < 1_000) tenancy.addInvite(tenancy.newInviteToken(), presets)
  for (let n = 0; n < 1_000; n++) bookmarks.set(`a-place-of-the-tape-${n}`, 1.7e12)
}

test('the snapshot of a full sandbox is restored, and put into another one', async () => {
  const { ask, registry, mine } = await server()
  fill(mine)
  const { body: snapshot } = await ask('GET', '/sandboxes/mine/snapshot')
  expect(JSON.stringify(snapshot).length).toBeGreaterThan(1 << 20)
  expect((await ask('PUT', '/sandboxes/mine/snapshot', snapshot)).status).toBe(200)
  await registry.create({ name: 'copy' })
  expect((await ask('PUT', '/sandboxes/copy/snapshot', snapshot)).status).toBe(200)
  for (const id of ['mine', 'copy']) {
    const sandbox = registry.get(id) as Sandbox
    expect(sandbox).not.toBe(mine)
    expect([...sandbox.tenancy.keys.keys()]).toEqual([...mine.tenancy.keys.keys()])
    expect([...sandbox.nonces]).toEqual([...mine.nonces])
    expect([...sandbox.bookmarks]).toEqual([...mine.bookmarks])
  }
})

test('one that is too large is refused with its size, and so is a body', async () => {
  const { ask, mine } = await server()
  const { body: snapshot } = await ask('GET', '/sandboxes/mine/snapshot')
  const name = 'n'.repeat(100_000)
  for (let n = 0; n < 36; n++)
    mine.tenancy.addKey({ ...mine.keys.full, ...mine.tenancy.newKeyPair(), name })
  const { status, body } = await ask('GET', '/sandboxes/mine/snapshot')
  expect([status, body.error]).toEqual([
    400,
    expect.stringMatching(
      /^the snapshot of "mine" would have 36\d{5} bytes, and at most 3500000 are taken back/,
    ),
  ])
  const large = { ...snapshot, world: 'w'.repeat(3_600_000) }
  expect(await ask('PUT', '/sandboxes/mine/snapshot', large)).toEqual({
    status: 413,
    body: { error: expect.stringMatching(/^a body has at most 3500000 bytes, this one 36\d{5}$/) },
  })
  expect((await ask('POST', '/sandboxes/mine/keys', large)).body).toEqual({
    error: expect.stringMatching(/^a body has at most 1048576 bytes, this one 36\d{5}$/),
  })
})

test('a snapshot is read some entries and one rule at a time, and each scenario once', async () => {
  const { ask, mine } = await server()
  fill(mine)
  const rules = Array.from({ length: 400 }, () => ({ do: 'stale' }))
  mine.faultInjection.add(parseScenario({ title: 'x', rules }))
  const { body } = await ask('GET', '/sandboxes/mine/snapshot')
  const slices = [...readSandboxState(body)].length
  expect(slices).toBeGreaterThan(400 + (5_000 + 1_000 + 10_000) / 100)
  const state = body as unknown as SandboxState
  const [saved] = runToEnd(readSandboxState(body)).progress.scenarios ?? []
  if (saved === undefined) throw new Error('there is no scenario')
  expect(restoredScenario(saved)).toBe(restoredScenario(saved))
  const keys = state.keys.with(150, { ...state.keys[150], limits: 1 } as never)
  const { body: refusal } = await ask('PUT', '/sandboxes/mine/snapshot', { ...state, keys })
  expect(refusal.error).toStartWith('the snapshot is broken: invalid parameter: keys.150.limits')
})
