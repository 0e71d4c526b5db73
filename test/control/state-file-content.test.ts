/** The content of the state file after each response. */
import { expect, test } from 'bun:test'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { sandboxStateOf } from '../../src/sandbox/snapshot/state-parts.ts'
import { controlRoutes } from '../../src/server/control/index.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { signed } from '../fixtures/fake-market.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { ALERT, comparableState, stateFiles, storedRegistry } from '../fixtures/state-files.ts'

const PREFIX = '/api/upgrade/v2'
const { open, killed } = stateFiles()

async function usedSandboxes(name: string) {
  const registry = await storedRegistry(open(name), { questions: { 'nonce-reuse': 'reject' } })
  const routes = controlRoutes(registry, { token: null })
  const { request } = memoryTransport(registry)
  const control = async (method: string, at: string, params: object, body: object = {}) => {
    const route = routes.find((one) => one.method === method && one.path === `/_control${at}`)
    const answer = await route?.answer({
      params: { id: 'default', ...params },
      query: '',
      body: JSON.stringify(body),
      headers: new Headers(),
      origin: 'http://localhost',
    })
    if (answer?.status !== 200) throw new Error(`${method} ${at}: ${answer?.body}`)
  }
  const ask = (method: string, at: string, key: string, body?: object) =>
    request(method, `${PREFIX}${at}?${signed(key)}`, body ? JSON.stringify(body) : '')
  return { registry, control, ask }
}

const LEVEL = {
  request_limits: { max_time_range: 60, max_request: 9, request_rate_limit: 100 },
  permissions: [{ resource_type: 'perpdex', actions: ['HL_TICKERS'] }],
}
const EVERY_THIRD = {
  title: 'Every third',
  rules: [{ on: { operation: '*', everyNth: 3 }, do: 'empty' }],
}
const KEY = '/sandboxes/:id/keys/:key'

test('after each response the file has its change', async () => {
  const { registry, control, ask } = await usedSandboxes('used')
  const token = { invite_token: 'demo-invite' }
  const at = '/sandboxes/:id'
  const alert = () => registry.get('default')?.alerts.forKey('demo').add(ALERT)
  const steps: (() => unknown)[] = [
    () => ask('GET', '/hl/tickers', 'demo-sub'),
    () => ask('PUT', '/distributor/levels/gold', 'demo-partner', LEVEL),
    () => ask('DELETE', '/distributor/levels/bare', 'demo-partner'),
    () => ask('POST', '/distributor/register', 'demo', token),
    () => [alert(), alert(), registry.get('default')?.changes.commitProgress()],
    () => [
      registry.get('default')?.alerts.forKey('demo').remove(1),
      registry.get('default')?.changes.commitProgress(),
    ],
    () => control('POST', `${at}/keys`, {}, { kind: 'sub', level: 'gold' }),
    () => control('PUT', KEY, { key: 'demo-sub' }, { status: 'disabled' }),
    () => control('DELETE', KEY, { key: 'demo-bare' }),
    () => control('PUT', `${KEY}/usage`, { key: 'demo-sub' }, { used: 77 }),
    () => control('POST', `${at}/invites`, {}, { name: 'Later' }),
    () => control('POST', `${at}/clock/advance`, {}, { ms: 1_500 }),
    () => control('PUT', `${at}/scenario`, {}, EVERY_THIRD),
    () => ask('GET', '/hl/tickers', 'demo'),
    () => control('PUT', `${at}/playhead`, {}, { speed: 2, at: 9_000, end: 'hold' }),
    () => control('PUT', `${at}/playhead/bookmarks/:bookmark`, { bookmark: 'here' }),
    () => control('PUT', `${at}/journal`, {}, { on: false }),
    () => control('POST', '/sandboxes', { id: '' }, { seed: 4, speed: 5 }),
    () => control('POST', `${at}/clock/advance`, { id: 's1' }, { ms: 10 }),
    () => control('POST', `${at}/reset`, {}),
  ]
  for (const [turn, step] of steps.entries()) {
    await step()
    const again = await storedRegistry(open(killed('used', `killed-${turn}`)))
    expect(again.list().map(comparableState)).toEqual(registry.list().map(comparableState))
  }
  await control('DELETE', at, { id: 's1' })
  const again = await storedRegistry(open(killed('used', 'dropped')))
  expect(again.list().map(({ id }) => id)).toEqual(['default'])
  expect((await again.create()).id).toBe('s2')
})

test('a running clock has run on, a held one has kept its time', async () => {
  const registry = await storedRegistry(open('clocks'), { clock: 'running', now: 5_000_000 })
  await registry.create({ name: 'held', clock: 'held', now: 7_000_000 })
  const nowMs = registry.get('default')?.clock.nowMs() ?? 0
  const later = { ...fixedClock, nowMs: () => fixedClock.nowMs() + 60_000 }
  const again = await storedRegistry(open(killed('clocks', 'clocks-on')), {}, later)
  expect(again.get('default')?.clock.nowMs()).toBeGreaterThanOrEqual(nowMs)
  expect(again.get('default')?.clock.nowMs()).toBeLessThan(nowMs + 3_600_000)
  expect(again.get('held')?.clock.nowMs()).toBe(7_000_000)
})

test('a copy is stored with its snapshot', async () => {
  const registry = await storedRegistry(open('copies'))
  await registry.create({ name: 'first' })
  const first = registry.get('first') as Sandbox
  first.alerts.forKey('x').add(ALERT)
  const copy = await registry.copy(sandboxStateOf(first), { name: 'copy' })
  copy.alerts.forKey('x').add(ALERT)
  copy.changeLog?.commit()
  const again = (await storedRegistry(open(killed('copies', 'copied')))).get('copy')
  expect(comparableState(again)).toEqual(comparableState(copy))
  again?.reset()
  expect(again?.alerts.list()).toHaveLength(1)
})
