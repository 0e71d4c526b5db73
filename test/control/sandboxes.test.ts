import { expect, test } from 'bun:test'
import { ADDRESS, START_MS, signed } from '../fixtures/fake-market.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { connectSocket, PREFIX, serve } from '../fixtures/test-server.ts'

test('the life of a sandbox', async () => {
  const { origin, control } = await serve()
  const made = await control('POST', '/sandboxes', { name: 'mine', speed: 2, at: 5_000 })
  expect(made.body).toMatchObject({ id: 'mine', baseUrl: `${origin}/s/mine` })
  const { accessKey, secretKey } = made.body.keys.full
  const url = `${made.body.baseUrl}${PREFIX}/hl/tickers`
  expect((await fetch(`${url}?${signed(accessKey, 0, secretKey)}`)).status).toBe(200)
  const advanced = await control('POST', '/sandboxes/mine/clock/advance', { ms: 1_000 })
  expect(advanced.body.playhead.at).toBe(START_MS + 7_000)
  const moved = await control('PUT', '/sandboxes/mine/playhead', { at: START_MS + 1, speed: 0 })
  expect(moved.body.playhead).toMatchObject({ at: START_MS + 1, speed: 0 })
  const reset = await control('POST', '/sandboxes/mine/reset')
  expect(reset.body.playhead).toMatchObject({ at: START_MS + 5_000, speed: 2 })
  expect((await control('GET', '/sandboxes')).body).toMatchObject([
    { id: 'default' },
    { id: 'mine' },
  ])
  expect((await control('DELETE', '/sandboxes/mine')).body).toMatchObject({ dropped: 'mine' })
  expect((await control('GET', '/sandboxes/mine')).status).toBe(404)
})

test('the control plane describes the error and the remedy', async () => {
  const { control } = await serve()
  const errorOf = async (method: string, path: string, body?: unknown) => {
    const answer = await control(method, path, body)
    return [answer.status, answer.body.error]
  }
  expect(await errorOf('POST', '/sandboxes', { sped: 1 })).toEqual([
    400,
    expect.stringContaining('unknown field "sped"; use name, tape'),
  ])
  expect(await errorOf('POST', '/sandboxes', { speed: -1 })).toEqual([
    400,
    expect.stringContaining('speed must be a number from 0 to 10000 or "max"'),
  ])
  expect(await errorOf('POST', '/sandboxes', { name: '../x' })).toEqual([
    400,
    expect.stringContaining('lower-case letters'),
  ])
  expect(await errorOf('POST', '/sandboxes', { name: 'default' })).toEqual([
    400,
    'there is a sandbox "default" already',
  ])
  expect(await errorOf('POST', '/sandboxes', { questions: { 'nonce-reuse': 'perhaps' } })).toEqual([
    400,
    'question "nonce-reuse" cannot be answered "perhaps"; use accept or reject',
  ])
  expect(await errorOf('PUT', '/sandboxes/default/clock', { now: 5 })).toEqual([
    400,
    expect.stringContaining('or later'),
  ])
  expect(await errorOf('GET', '/sandboxes/nobody')).toEqual([
    404,
    'no sandbox "nobody"; there are default',
  ])
  expect(await errorOf('DELETE', '/sandboxes/default')).toEqual([
    400,
    expect.stringContaining('reset it instead'),
  ])
})

test('with a token the control plane opens to its bearer only', async () => {
  const { control } = await serve({}, 'secret')
  expect((await control('GET', '/sandboxes')).status).toBe(401)
  const wrong = { authorization: 'Bearer wrong!' }
  expect((await control('GET', '/sandboxes', undefined, wrong)).status).toBe(401)
  const right = { authorization: 'Bearer secret' }
  expect((await control('GET', '/sandboxes', undefined, right)).status).toBe(200)
  const elsewhere = { ...right, origin: 'http://elsewhere.example' }
  expect((await control('GET', '/sandboxes', undefined, elsewhere)).status).toBe(403)
})

test('a long step ages earlier signatures, not later ones', async () => {
  const { origin, control } = await serve()
  const early = `${origin}${PREFIX}/hl/fills/${ADDRESS}?${signed()}`
  expect((await fetch(early)).status).toBe(200)
  await control('POST', '/sandboxes/default/clock/advance', { ms: 31_000 })
  expect((await fetch(early)).status).toBe(401)
  expect((await fetch(`${origin}${PREFIX}/hl/fills/${ADDRESS}?${signed()}`)).status).toBe(200)
})

test('holding the clock loses no due event', async () => {
  let passedMs = 0
  const by = { ...fixedClock, monotonicMs: () => passedMs }
  const { origin, registry, control } = await serve({ clock: 'running', speed: 100 }, null, by)
  const { opened, socket, frames } = connectSocket(origin, `${PREFIX}/hl/ws?${signed()}`)
  await opened
  socket.send('{"method":"subscribe","subscription":{"type":"bbo","coin":"BTC"}}')
  const [, snapshot] = await frames(2)
  passedMs = 57
  const held = await control('PUT', '/sandboxes/default/clock', { state: 'held' })
  const due = Math.floor((held.body.playhead.at - snapshot.data.time) / 1000)
  expect(due).toBe(5)
  const times = (await frames(due)).map(({ data }) => data.time - snapshot.data.time)
  expect(times).toEqual(Array.from({ length: due }, (_, second) => (second + 1) * 1000))
  expect(registry.get('default')?.clock.state).toBe('held')
})
