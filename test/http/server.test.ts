import { expect, test } from 'bun:test'
import { START_MS, signed } from '../fixtures/fake-market.ts'
import { connectSocket, PREFIX, serve } from '../fixtures/test-server.ts'

test('HTTP carries status, headers and body unchanged', async () => {
  const { origin } = await serve()
  const answer = await fetch(`${origin}${PREFIX}/hl/tickers?${signed()}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await answer.json()).toMatchObject({ code: '0' })
  expect((await fetch(`${origin}/nothing`)).status).toBe(404)
  const wrong = await fetch(`${origin}${PREFIX}/hl/tickers`, { method: 'DELETE' })
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET'])
  expect((await fetch(`${origin}${PREFIX}/hl/tickers`, { method: 'OPTIONS' })).status).toBe(204)
})

test('a coin with an encoded name is found', async () => {
  const { origin } = await serve()
  const coin = encodeURIComponent('PURR/USDC')
  const answer = await fetch(`${origin}${PREFIX}/hl/tickers/coin/${coin}?${signed()}`)
  expect(await answer.json()).toEqual({ code: '0', msg: 'success', data: null })
})

test('a body that is too large is refused', async () => {
  const { origin } = await serve()
  const answer = await fetch(`${origin}${PREFIX}/hl/traders/clearinghouse-state?${signed()}`, {
    method: 'POST',
    body: JSON.stringify({ addresses: [], more: 'x'.repeat(1_200_000) }),
  })
  expect(answer.status).toBe(413)
})

test('large bodies that arrive together are read like small ones', async () => {
  const { origin } = await serve()
  const bytes = (length: number) =>
    Buffer.concat([
      Buffer.from('\ufeff{"title":"à'),
      Buffer.of(0xff),
      Buffer.from('","rules":[]}'.padEnd(length)),
    ])
  const answers = await Promise.all(
    [10, 300_000, 900_000, 1_000_000].map(async (length) => {
      const path = `${origin}/_control/sandboxes/default/scenario`
      const answer = await fetch(path, { method: 'PUT', body: bytes(length) })
      return [answer.status, await answer.text()]
    }),
  )
  expect(answers[0]).toEqual([200, expect.any(String)])
  expect(answers[0]?.[1]).toContain('à\ufffd')
  for (const answer of answers) expect(answer).toEqual(answers[0] as typeof answer)
})

test('every response has the date of its sandbox', async () => {
  const { origin, control } = await serve({ now: 1_780_000_000_000 })
  const { body } = await control('POST', '/sandboxes', { clock: 'held', now: 1_790_000_000_000 })
  const expected = {
    '': 'Thu, 28 May 2026 20:26:40 GMT',
    [new URL(body.baseUrl).pathname]: 'Mon, 21 Sep 2026 14:13:20 GMT',
  }
  const large = { method: 'POST', body: 'x'.repeat(1_200_000) }
  for (const [base, date] of Object.entries(expected))
    for (const [path, init, status] of [
      ['/coin', {}, 401],
      ['/nothing', {}, 404],
      ['/coin', { method: 'DELETE' }, 405],
      ['/coin', { method: 'OPTIONS' }, 204],
      ['/hl/info', { method: 'OPTIONS' }, 204],
      ['/nothing', { method: 'OPTIONS' }, 204],
      ['/hl/info', large, 413],
      ['/hl/ws', {}, 401],
    ] as const) {
      const answer = await fetch(`${origin}${base}${PREFIX}${path}`, init)
      expect([path, answer.status, answer.headers.get('date')]).toEqual([path, status, date])
    }
  const signedAt = async (path: string, init = {}) => {
    const answer = await fetch(`${origin}${PREFIX}${path}?${signed()}`, init)
    return [answer.status, answer.headers.get('date')]
  }
  expect(await signedAt('/hl/ws')).toEqual([426, expected['']])
  expect(await signedAt('/hl/info', { method: 'OPTIONS' })).toEqual([204, expected['']])
})

test('a refused upgrade is an HTTP answer, a plain GET of a socket path too', async () => {
  const { origin } = await serve()
  const refused = await fetch(`${origin}${PREFIX}/hl/ws`)
  expect([refused.status, await refused.json()]).toEqual([
    401,
    { code: '401', msg: 'Invalid signature', data: null },
  ])
  expect((await fetch(`${origin}${PREFIX}/hl/ws?${signed()}`)).status).toBe(426)
  expect(await connectSocket(origin, `${PREFIX}/hl/ws?${signed('demo', 99)}`).opened).toBe(false)
})

test('frames cross the network unchanged, and 60 idle seconds end in 1006', async () => {
  const { origin, control } = await serve()
  const { socket, opened, closed, frames } = connectSocket(origin, `${PREFIX}/hl/ws?${signed()}`)
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

test('junk on one connection does not affect others', async () => {
  const { origin } = await serve()
  const good = connectSocket(origin, `${PREFIX}/hl/ws?${signed()}`)
  const bad = connectSocket(origin, `${PREFIX}/hl/ws?${signed()}`)
  await Promise.all([good.opened, bad.opened])
  for (const junk of ['{', '['.repeat(200_000), 'x'.repeat(1_000_000), new Uint8Array(1_000_000)])
    bad.socket.send(junk)
  bad.socket.send(new Uint8Array(5_000_000))
  await bad.closed
  good.socket.send('{"method":"ping"}')
  expect(await good.frames(1)).toEqual([{ channel: 'pong' }])
})
