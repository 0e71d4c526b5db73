/** Many tests against one process, each in a sandbox of its own: none hears of another. */
import { expect, test } from 'bun:test'
import { dice } from '../src/random/dice.ts'
import { signedQuery } from './signing.ts'
import { START_MS } from './toy-market.ts'
import { P, serve } from './toy-server.ts'

const SCRIPTS = 200
const { origin, control } = await serve()

interface Keys {
  access_key: string
  secret_key: string
}

const ACTIONS = ['HL_TICKERS', 'HL_FILLS', 'HL_ORDERS', 'HL_WS_NODE']

/** What a script does, and what it must then see: both follow from its seed alone. */
async function script(seed: number): Promise<void> {
  const chance = dice(seed, 'script')
  const made = await control('POST', '/sandboxes', { seed })
  const { id, keys } = made.body as unknown as { id: string; keys: Record<string, Keys> }
  const at = `/sandboxes/${id}`
  const call = async (method: string, path: string, key: string, body?: unknown) => {
    const query = signedQuery(keys[key] as Keys)
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${origin}${P}${path}?${query}`, { method, ...sent })
    return { status: answer.status, body: (await answer.json()) as { data: unknown } }
  }

  const levels = new Set(['basic', 'bare'])
  let granted = ['HL_TICKERS']
  let nowMs = START_MS
  let asked = 0
  for (let step = 0; step < 6; step++) {
    const turn = chance.between(0, 3)
    if (turn === 0) {
      const name = `level-${chance.between(1, 3)}`
      levels.add(name)
      await call('PUT', `/distributor/levels/${name}`, 'partner', levelOf([]))
    } else if (turn === 1) {
      granted = ACTIONS.filter(() => chance.chance(0.5))
      await call('PUT', '/distributor/levels/basic', 'partner', levelOf(granted))
    } else if (turn === 2) {
      const ms = chance.between(1, 20) * 1000
      nowMs += ms
      await control('POST', `${at}/clock/advance`, { ms })
    } else {
      const { status } = await call('GET', '/hl/tickers', 'sub')
      expect(status).toBe(granted.includes('HL_TICKERS') ? 200 : 403)
      if (status === 200) asked++
    }
  }

  const seen = await call('GET', '/distributor/levels', 'partner')
  expect(new Set(seen.body.data as string[])).toEqual(levels)
  const quota = await call('GET', '/distributor/quota', 'partner')
  expect(quota.body.data).toMatchObject({ used_quota: asked })
  const { clock } = (await control('GET', at)).body as unknown as { clock: { now: number } }
  expect(clock.now).toBe(nowMs)
  const sub = `${at}/journal/count?operation=perpdex.tickers&key=${keys.sub?.access_key}`
  expect((await control('GET', `${sub}&status=200`)).body).toMatchObject({ count: asked })
  expect((await control('DELETE', at)).status).toBe(200)
}

const levelOf = (actions: string[]) => ({
  request_limits: { max_time_range: 60, max_request: 9, request_rate_limit: 1000 },
  permissions: [{ resource_type: 'perpdex', actions }],
})

test(`${SCRIPTS} scripts at once do not hear of one another`, async () => {
  await Promise.all(Array.from({ length: SCRIPTS }, (_, seed) => script(seed)))
  const left = (await control('GET', '/sandboxes')).body as unknown as unknown[]
  expect(left).toHaveLength(1)
}, 60_000)

test('nor do they when it is done ten times over', async () => {
  for (let round = 1; round <= 10; round++)
    await Promise.all(Array.from({ length: 20 }, (_, n) => script(round * 1_000 + n)))
}, 60_000)

test('a sandbox that nobody asks is dropped in time, one that is held is not', async () => {
  const { registry, control: own, origin: at } = await serve()
  const idle = await own('POST', '/sandboxes', { name: 'idle', idle_s: 1 })
  const held = await own('POST', '/sandboxes', { name: 'held', idle_s: 1 })
  const { keys } = held.body as unknown as { keys: Record<string, Keys> }
  const socket = new WebSocket(
    `${at.replace('http', 'ws')}${P}/hl/ws?${signedQuery(keys.full as Keys)}`,
  )
  await new Promise((resolve) => {
    socket.onopen = resolve
  })
  expect(idle.status).toBe(200)
  const gone = Promise.withResolvers<void>()
  registry
    .list()
    .find(({ id }) => id === 'idle')
    ?.whenGone(() => gone.resolve())
  await gone.promise
  expect(registry.list().map(({ id }) => id)).toEqual(['default', 'held'])
  socket.close()
}, 20_000)
