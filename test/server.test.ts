import { afterAll, expect, test } from 'bun:test'
import { controlRoutes } from '../src/control/index.ts'
import type { Wish } from '../src/sandbox/registry.ts'
import { server } from '../src/transport/elysia/server.ts'
import { ADDRESS, START_MS, signed, toyRegistry } from './toy-market.ts'

const open: { stop(closeActive: boolean): unknown }[] = []
afterAll(() => Promise.all(open.map((app) => app.stop(true))))

async function serve(wish: Wish = {}, token: string | null = null) {
  const registry = await toyRegistry({ epoch: 'tape', ...wish })
  const pages = new Map()
  const app = server({ registry, control: controlRoutes(registry, { token }), pages }).listen(0)
  open.push(app)
  const origin = `http://localhost:${app.server?.port}`
  const control = async (method: string, path: string, body?: unknown, headers = {}) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${origin}/_control${path}`, { method, headers, ...sent })
    return { status: answer.status, body: (await answer.json()) as Said }
  }
  return { origin, registry, control }
}

const P = '/api/upgrade/v2'

/** What the control plane says, as far as it is looked at here. */
interface Said {
  error: string
  base_url: string
  keys: { full: { access_key: string; secret_key: string } }
  playhead: { at: number }
}

function connect(origin: string, path: string) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`)
  const heard: string[] = []
  const waiting: (() => void)[] = []
  socket.onmessage = ({ data }) => {
    heard.push(data)
    for (const wake of waiting.splice(0)) wake()
  }
  const closed = new Promise<number>((resolve) => {
    socket.onclose = ({ code }) => resolve(code)
  })
  const opened = new Promise<boolean>((resolve) => {
    socket.onopen = () => resolve(true)
    socket.onerror = () => resolve(false)
  })
  const frames = async (count: number) => {
    while (heard.length < count) await new Promise<void>((wake) => waiting.push(wake))
    return heard.splice(0, count).map((text) => JSON.parse(text))
  }
  return { socket, opened, closed, frames }
}

test('HTTP carries status, headers and body as they are', async () => {
  const { origin } = await serve()
  const answer = await fetch(`${origin}${P}/hl/tickers?${signed()}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await answer.json()).toMatchObject({ code: '0' })
  expect((await fetch(`${origin}/nothing`)).status).toBe(404)
  const wrong = await fetch(`${origin}${P}/hl/tickers`, { method: 'DELETE' })
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET'])
  expect((await fetch(`${origin}${P}/hl/tickers`, { method: 'OPTIONS' })).status).toBe(204)
})

test('a coin whose name must be encoded finds its way', async () => {
  const { origin } = await serve()
  const coin = encodeURIComponent('PURR/USDC')
  const answer = await fetch(`${origin}${P}/hl/tickers/coin/${coin}?${signed()}`)
  expect(await answer.json()).toEqual({ code: '0', msg: 'success', data: null })
})

test('a body that is too large is refused', async () => {
  const { origin } = await serve()
  const answer = await fetch(`${origin}${P}/hl/traders/clearinghouse-state?${signed()}`, {
    method: 'POST',
    body: JSON.stringify({ addresses: [], more: 'x'.repeat(1_200_000) }),
  })
  expect(answer.status).toBe(413)
})

test('a refused upgrade is an HTTP answer, a plain GET of a socket path too', async () => {
  const { origin } = await serve()
  const refused = await fetch(`${origin}${P}/hl/ws`)
  expect([refused.status, await refused.json()]).toEqual([
    401,
    { code: '401', msg: 'Invalid signature', data: null },
  ])
  expect((await fetch(`${origin}${P}/hl/ws?${signed()}`)).status).toBe(426)
  expect(await connect(origin, `${P}/hl/ws?${signed('demo', 99)}`).opened).toBe(false)
})

test('frames cross the network unchanged, and 60 idle seconds end in 1006', async () => {
  const { origin, control } = await serve()
  const { socket, opened, closed, frames } = connect(origin, `${P}/hl/ws?${signed()}`)
  expect(await opened).toBe(true)
  const subscription = { type: 'bbo', coin: 'BTC' }
  socket.send(JSON.stringify({ method: 'subscribe', subscription }))
  const [ack, snapshot] = await frames(2)
  expect([ack.data.subscription, snapshot.data.time]).toEqual([subscription, START_MS])
  await control('POST', '/sandboxes/default/clock/advance', { ms: 3_000 })
  const pushed = await frames(3)
  expect(pushed.map(({ data }) => data.time - START_MS)).toEqual([1_000, 2_000, 3_000])
  await control('POST', '/sandboxes/default/clock/advance', { ms: 60_000 })
  expect(await closed).toBe(1006)
})

test('junk on one connection leaves the others alone', async () => {
  const { origin } = await serve()
  const good = connect(origin, `${P}/hl/ws?${signed()}`)
  const bad = connect(origin, `${P}/hl/ws?${signed()}`)
  await Promise.all([good.opened, bad.opened])
  for (const junk of ['{', '['.repeat(200_000), 'x'.repeat(1_000_000), new Uint8Array(1_000_000)])
    bad.socket.send(junk)
  bad.socket.send(new Uint8Array(5_000_000))
  await bad.closed
  good.socket.send('{"method":"ping"}')
  expect(await good.frames(1)).toEqual([{ channel: 'pong' }])
})

test('the life of a sandbox', async () => {
  const { origin, control } = await serve()
  const made = await control('POST', '/sandboxes', { name: 'mine', speed: 2, at: 5_000 })
  expect(made.body).toMatchObject({ id: 'mine', base_url: `${origin}/s/mine` })
  const { access_key, secret_key } = made.body.keys.full
  const url = `${made.body.base_url}${P}/hl/tickers`
  expect((await fetch(`${url}?${signed(access_key, 0, secret_key)}`)).status).toBe(200)
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

test('the control plane says what is wrong and what would be right', async () => {
  const { control } = await serve()
  const says = async (method: string, path: string, body?: unknown) => {
    const answer = await control(method, path, body)
    return [answer.status, answer.body.error]
  }
  expect(await says('POST', '/sandboxes', { sped: 1 })).toEqual([
    400,
    expect.stringContaining('unknown field "sped"; use name, tape'),
  ])
  expect(await says('POST', '/sandboxes', { speed: -1 })).toEqual([
    400,
    expect.stringContaining('speed must be a number from 0 to 10000 or "max"'),
  ])
  expect(await says('POST', '/sandboxes', { name: '../x' })).toEqual([
    400,
    expect.stringContaining('lower-case letters'),
  ])
  expect(await says('POST', '/sandboxes', { name: 'default' })).toEqual([
    400,
    'there is a sandbox "default" already',
  ])
  expect(await says('POST', '/sandboxes', { questions: { 'nonce-reuse': 'perhaps' } })).toEqual([
    400,
    'question "nonce-reuse" cannot be answered "perhaps"; use accept or reject',
  ])
  expect(await says('PUT', '/sandboxes/default/clock', { now: 5 })).toEqual([
    400,
    expect.stringContaining('or later'),
  ])
  expect(await says('GET', '/sandboxes/nobody')).toEqual([
    404,
    'no sandbox "nobody"; there are default',
  ])
  expect(await says('DELETE', '/sandboxes/default')).toEqual([
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

test('a signature made before a long step has expired after it, one made after it has not', async () => {
  const { origin, control } = await serve()
  const early = `${origin}${P}/hl/fills/${ADDRESS}?${signed()}`
  expect((await fetch(early)).status).toBe(200)
  await control('POST', '/sandboxes/default/clock/advance', { ms: 31_000 })
  expect((await fetch(early)).status).toBe(401)
  expect((await fetch(`${origin}${P}/hl/fills/${ADDRESS}?${signed()}`)).status).toBe(200)
})
