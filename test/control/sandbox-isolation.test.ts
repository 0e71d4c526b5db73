/** Many tests against one process, each in a sandbox of its own: none sees another. */
import { expect, test } from 'bun:test'
import { client } from '../../src/clients/service/client.ts'
import type { ServiceError } from '../../src/clients/service/errors.ts'
import { ACTIVE_ACTIONS } from '../../src/contract/actions.ts'
import { randomSource } from '../../src/random/random-source.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { serve, serveRegistry } from '../fixtures/test-server.ts'

const SCRIPTS = 200
const { registry } = await recordedRegistry({ epoch: 'tape' })
const startMs = registry.get('default')?.clock.nowMs() ?? 0
const { origin, control } = await serveRegistry(registry)

interface Keys {
  accessKey: string
  secretKey: string
}

const ACTIONS = ['HL_TICKERS', 'HL_FILLS', 'HL_ORDERS', 'HL_WS_NODE']

const as = ({ accessKey, secretKey }: Keys, baseUrl = origin) =>
  client({ baseUrl, accessKey, secretKey, systemClock: fixedClock, timeoutMs: 600_000 })

/** A script with its expected results: both depend on its seed alone. */
async function script(seed: number): Promise<void> {
  const chance = randomSource(seed, 'script')
  const made = await control('POST', '/sandboxes', {})
  const { id, keys } = made.body as unknown as { id: string; keys: Record<string, Keys> }
  const at = `/sandboxes/${id}`
  const [full, partner, sub] = ['full', 'partner', 'sub'].map((who) => as(keys[who] as Keys))
  if (!full || !partner || !sub) throw new Error('three keys')

  const levels = new Set(['basic', 'bare'])
  let granted = [...ACTIVE_ACTIONS]
  let nowMs = startMs
  let requestCount = 0
  const alerts: string[] = []
  const deeds = [
    async () => {
      const level = `level-${chance.between(1, 3)}`
      levels.add(level)
      await partner.distributor.putLevel({ path: { level }, body: levelOf([]) })
    },
    async () => {
      granted = ACTIONS.filter(() => chance.chance(0.5))
      await partner.distributor.putLevel({ path: { level: 'basic' }, body: levelOf(granted) })
    },
    async () => {
      const ms = chance.between(1, 20) * 1000
      nowMs += ms
      await control('POST', `${at}/clock/advance`, { ms })
    },
    async () => {
      const answer = await sub.perpdex.tickers().catch((error: ServiceError) => error.permission)
      expect(answer === 'HL_TICKERS').toBe(!granted.includes('HL_TICKERS'))
      if (answer !== 'HL_TICKERS') requestCount++
    },
    async () => {
      const subType = `price:1:above:${100_000 + seed}`
      alerts.push(subType)
      await full.signal.addAlert({ query: { subType, symbol: 'btcswapusdc:hl' } })
    },
  ]
  for (let step = 0; step < 8; step++) await chance.pick(deeds)()

  expect(new Set(await partner.distributor.levels())).toEqual(levels)
  expect((await full.signal.alertSettings()).list.map(({ subType }) => subType)).toEqual(alerts)
  expect(await partner.distributor.quota()).toMatchObject({ used_quota: requestCount })
  const { clock } = (await control('GET', at)).body as unknown as { clock: { now: number } }
  expect(clock.now).toBe(nowMs)
  const mine = `${at}/journal/count?operation=perpdex.tickers&key=${keys.sub?.accessKey}`
  expect((await control('GET', `${mine}&status=200`)).body).toMatchObject({ count: requestCount })
  expect((await control('DELETE', at)).status).toBe(200)
}

const levelOf = (actions: string[]) => ({
  request_limits: { max_time_range: 60, max_request: 9, request_rate_limit: 1000 },
  permissions: [{ resource_type: 'perpdex', actions }],
})

test(`${SCRIPTS} scripts at once do not affect one another`, async () => {
  await Promise.all(Array.from({ length: SCRIPTS }, (_, seed) => script(seed)))
  const left = (await control('GET', '/sandboxes')).body as unknown as unknown[]
  expect(left).toHaveLength(1)
})

test('nor do they when it is done again and again', async () => {
  for (let round = 1; round <= 3; round++)
    await Promise.all(Array.from({ length: SCRIPTS }, (_, n) => script(round * 1_000 + n)))
})

test('an idle sandbox is dropped in time, one with a connection is not', async () => {
  const { registry, control: own, origin: at } = await serve()
  const idle = await own('POST', '/sandboxes', { name: 'idle', idleS: 1 })
  const held = await own('POST', '/sandboxes', { name: 'held', idleS: 1 })
  const { keys } = held.body as unknown as { keys: Record<string, Keys> }
  const holder = as(keys.full as Keys, at)
  await holder.subscribe('bbo', { coin: 'BTC' }, () => {}).ready
  expect(idle.status).toBe(200)
  const gone = Promise.withResolvers<void>()
  registry
    .list()
    .find(({ id }) => id === 'idle')
    ?.onRemoved(() => gone.resolve())
  await gone.promise
  expect(registry.list().map(({ id }) => id)).toEqual(['default', 'held'])
  holder.close()
})
