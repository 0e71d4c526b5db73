/** One script over each store: the answers are the same, and so is what is stored after each. */
import { describe, expect, test } from 'bun:test'
import { bringUpToDate } from '../../src/sandbox/pipeline/shared-request.ts'
import { HAS_REDIS, redisServer } from '../fixtures/redis-server.ts'
import { openRedisStore, type Replica, replicaOf, replicasOf } from '../fixtures/replicas.ts'
import { comparableState, stateFiles } from '../fixtures/state-files.ts'

const { open, killed } = stateFiles()
const OPTIONS = { questions: { 'nonce-reuse': 'reject' } } as const

const LEVEL = {
  request_limits: { max_time_range: 60, max_request: 9, request_rate_limit: 100 },
  permissions: [{ resource_type: 'perpdex', actions: ['HL_TICKERS'] }],
}
const EVERY_THIRD = {
  title: 'Every third',
  rules: [{ on: { operation: '*', everyNth: 3 }, do: 'empty' }],
}
const TOKEN = { invite_token: 'demo-invite' }
const OTHER = { id: 'mine' }

type Step = [name: string, (on: Replica) => Promise<{ status: number; body: unknown }>]

const ask = (method: string, path: string, key: string, body?: object): Step => [
  `${method} ${path} by ${key}`,
  (on) => on.ask(method, path, key, body),
]
const control = (id: string, body: object = {}, params?: Record<string, string>): Step => [
  `${id} ${JSON.stringify(params ?? '')}`,
  (on) => on.control(id, body, params),
]
const ofKey = (key: string) => ({ id: 'default', key })

const STEPS: readonly Step[] = [
  ask('GET', '/hl/tickers', 'demo-sub'),
  ask('GET', '/hl/tickers', 'demo-bare'),
  ask('GET', '/hl/tickers', 'unknown'),
  ask('PUT', '/distributor/levels/gold', 'demo-partner', LEVEL),
  ask('DELETE', '/distributor/levels/bare', 'demo-partner'),
  ask('GET', '/distributor/levels', 'demo-partner'),
  ask('POST', '/distributor/register', '', TOKEN),
  ask('POST', '/distributor/register', '', TOKEN),
  control('key.create', { kind: 'sub', level: 'gold' }),
  control('key.change', { status: 'disabled' }, ofKey('demo-sub')),
  ask('GET', '/hl/tickers', 'demo-sub'),
  control('key.delete', {}, ofKey('demo-bare')),
  control('usage.set', { used: 77 }, ofKey('demo')),
  ask('GET', '/distributor/sub-keys', 'demo-partner'),
  ask('GET', '/distributor/quota', 'demo-partner'),
  control('invite.create', { name: 'Later' }),
  ask('GET', '/signal/addSignalAlert', 'demo', { subType: 'price:1:above:7', symbol: 'btc:hl' }),
  ask('GET', '/signal/addSignalAlert', 'demo', { subType: 'price:1:above:8', symbol: 'btc:hl' }),
  ask('GET', '/signal/getSignalAlertSetList', 'demo'),
  ask('GET', '/signal/delSignalAlert', 'demo', { id: '1' }),
  ask('GET', '/signal/getSignalAlertSetList', 'demo'),
  control('clock.advance', { ms: 1_500 }),
  control('scenario.set', EVERY_THIRD),
  ask('GET', '/hl/tickers', 'demo'),
  ask('GET', '/hl/tickers', 'demo'),
  ask('GET', '/hl/tickers', 'demo'),
  control('scenario.clear'),
  control('playhead.set', { speed: 2, at: 9_000, end: 'hold' }),
  control('bookmark.set', {}, { id: 'default', bookmark: 'here' }),
  control('clock.advance', { ms: 2_000, market: 'stays' }),
  control('clock.advance', { ms: 500 }),
  control('journal.set', { on: false }),
  control('sandbox.create', { name: 'mine', seed: 4, speed: 5 }),
  control('clock.advance', { ms: 10 }, OTHER),
  control('sandbox.get', {}, OTHER),
  control('sandbox.reset'),
  ask('GET', '/hl/tickers', 'demo-sub'),
  control('sandbox.drop', {}, OTHER),
  control('sandbox.get', {}, OTHER),
]

async function answers(of: (at: number) => Replica, after: (at: number) => Promise<void>) {
  const given: unknown[] = []
  for (const [at, [name, step]] of STEPS.entries()) {
    const { status, body } = await step(of(at))
    given.push([name, status, body])
    await after(at)
  }
  return given
}

const states = ({ registry }: Replica) =>
  new Map(registry.list().map((one) => [one.id, comparableState(one)]))

type Stored = ReturnType<typeof states>

async function inMemory() {
  const memory = await replicaOf(null, { options: OPTIONS })
  return answers(
    () => memory,
    async () => {},
  )
}

const expected = await inMemory()

test('each step of the script does something', () => {
  const statuses = (expected as [string, number][]).map(([, status]) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(26)
  expect(new Set(statuses)).toEqual(new Set([200, 401, 403, 404, 400]))
})

test('a state file gives the answers of the memory, and has them after each', async () => {
  const file = await replicaOf(open('used'), { options: OPTIONS })
  const given = await answers(
    () => file,
    async (at) => {
      const again = await replicaOf(open(killed('used', `killed-${at}`)))
      expect(states(again)).toEqual(states(file))
    },
  )
  expect(given).toEqual(expected)
})

describe.skipIf(!HAS_REDIS)('with redis-server', async () => {
  const redis = HAS_REDIS ? await redisServer() : null

  test('three replicas in turn answer like one process, and have the same state', async () => {
    const replicas = await replicasOf(redis?.url('turns') ?? '', 3, { options: OPTIONS })
    const given = await answers(
      (at) => replicas[at % 3] as Replica,
      async (at) => {
        for (const one of replicas) await upToDate(one)
        const [first, ...others] = replicas.map(states)
        for (const other of others) expect([at, other]).toEqual([at, first as Stored])
        const fresh = await replicaOf(await openRedisStore(redis?.url('turns') ?? ''))
        await fresh.registry.shared?.prepareAll()
        expect([at, states(fresh)]).toEqual([at, first as Stored])
        fresh.store?.close()
      },
    )
    expect(given).toEqual(expected)
  })
})

async function upToDate({ registry }: Replica): Promise<void> {
  await registry.shared?.prepareAll()
  for (const { id } of registry.list()) await bringUpToDate(registry, id, undefined)
}
