/** Reconnection: delays, attempts, and giving up. */
import { expect, test } from 'bun:test'
import { recorded } from '../fixtures/client-market.ts'
import { movedClock } from '../fixtures/moved-clock.ts'
import { acknowledged, book, scriptedClient } from '../fixtures/scripted-sockets.ts'

const BTC = { type: 'l2Book', coin: 'BTC' }
const SOME_MS = 1_772_619_630_000

test('delays grow when the service accepts and then closes', async () => {
  const { service, machine, sockets } = scriptedClient()
  service.subscribe('l2Book', { coin: 'BTC' })
  for (let step = 0; step < 1000; step++) {
    await machine.advance(10)
    for (const socket of sockets) socket.close(1000)
  }
  // 125 to 250 ms, twice that, and so on: six or seven in ten seconds.
  expect(sockets.length).toBeLessThan(9)
})

test('after a sound connection the delays start again', async () => {
  const { service, machine, sockets } = scriptedClient()
  const one = recorded()
  service.subscribe('l2Book', { coin: 'BTC' }, one.listener, one)
  const waits: number[] = []
  for (const heldMs of [10_000, 10_000, 9_000, 9_000, 10_000]) {
    await machine.advance(1000)
    sockets.at(-1)?.push(acknowledged(BTC), book(SOME_MS + sockets.length))
    await machine.advance(heldMs - 1000)
    sockets.at(-1)?.close()
    await machine.settle()
    const lost = one.events.findLast(({ type }) => type === 'lost')
    waits.push(lost?.type === 'lost' ? (lost.retryMs ?? 0) : 0)
    await machine.advance(waits.at(-1) ?? 0)
  }
  const doublings = waits.map((ms) => Math.max(0, Math.ceil(Math.log2(ms / 250))))
  expect(doublings).toEqual([0, 0, 1, 2, 0])
})

test('a connection that does not open times out', async () => {
  const { service, machine, sockets } = scriptedClient({ connectMs: 3_000 }, { opens: false })
  service.subscribe('l2Book', { coin: 'BTC' })
  await machine.advance(3_300)
  expect(sockets).toHaveLength(2)
})

test.each([
  [401, '{"code":"401","msg":"Invalid signature","data":null}', '401 Invalid signature'],
  [503, '<html>away</html>', 'the answer is not JSON (503, text/html)'],
])('a refused upgrade is requested by HTTP: %i', async (status, body, words) => {
  const errors: string[] = []
  const { service, machine, sockets, requested, answer } = scriptedClient(
    { onConnectionError: ({ message }) => errors.push(message) },
    { opens: false },
  )
  const headers = { 'content-type': 'text/html', 'retry-after': '20' }
  answer('/hl/ws', () => new Response(body, { status, headers }))
  service.subscribe('l2Book', { coin: 'BTC' })
  await machine.settle()
  sockets[0]?.close()
  await machine.settle()
  expect(errors).toEqual([`/hl/ws: refused: ${words}, tried again in 20000 ms`])
  await machine.advance(19_999)
  expect(sockets).toHaveLength(1)
  await machine.advance(1)
  expect(sockets).toHaveLength(2)
  sockets[1]?.close()
  await machine.settle()
  // A refusal of the caller may be cured; an unavailable service gets no additional requests.
  expect(requested).toHaveLength(status === 401 ? 2 : 1)
})

test('a missing permission is not requested again', async () => {
  const { service, machine, sockets, answer } = scriptedClient({}, { opens: false })
  const body = { code: '403', msg: 'Permission denied: HL_WS_NODE', data: null }
  answer('/hl/ws', () => Response.json(body, { status: 403 }))
  const one = recorded()
  const { ready } = service.subscribe('l2Book', { coin: 'BTC' }, one.listener, one)
  await machine.settle()
  sockets[0]?.close()
  await machine.advance(60_000)
  expect(sockets).toHaveLength(1)
  expect(one.events).toMatchObject([
    { type: 'lost', retryMs: null },
    { type: 'refused', reason: '403 Permission denied: HL_WS_NODE' },
  ])
  expect(String(await ready.catch((error) => error))).toContain('HL_WS_NODE, given up')
})

test('an unreachable service is retried, at the start or later', async () => {
  const send = () => Promise.reject(new Error('unreachable'))
  const { service, machine, sockets } = scriptedClient({ send }, { opens: false })
  const { ready } = service.subscribe('l2Book', { coin: 'BTC' })
  let scheduled = ''
  ready.catch((error) => {
    scheduled = String(error)
  })
  for (let minute = 0; minute < 20; minute++) {
    sockets.at(-1)?.close()
    await machine.advance(60_000)
  }
  expect(scheduled).toContain('closed with 1006, tried again in')
  expect(sockets.length).toBeGreaterThan(15)
  sockets.at(-1)?.open()
  expect(sockets.at(-1)?.sent).toEqual([{ method: 'subscribe', subscription: BTC }])
})

test.each([
  ['is followed where it accepts what is signed by it', 45],
  ['is not where it refuses that too: it was moved just now, or it is the key', 0],
])('for sockets, too, the clock that the service shows %s', async (_, aheadS) => {
  const machine = movedClock()
  const startS = Math.floor(machine.systemClock.nowMs() / 1000)
  const signedS = (url: string) => Number(new URL(url).searchParams.get('Timestamp')) - startS
  const headers = { date: new Date(1000 * (startS + 45)).toUTCString() }
  const { service, sockets } = scriptedClient(
    {
      systemClock: machine.systemClock,
      send: async (url) =>
        aheadS > 0 && signedS(url) === aheadS
          ? new Response('<html>', { status: 426, headers })
          : Response.json({ code: '401', msg: 'Invalid signature' }, { status: 401, headers }),
    },
    { opens: false },
  )
  service.subscribe('l2Book', { coin: 'BTC' })
  await machine.settle()
  sockets[0]?.close()
  await machine.advance(250)
  expect(sockets.map(({ url }) => signedS(url))).toEqual([0, aheadS])
})

test('closing leaves no timer and no connection', async () => {
  const { service, machine, sockets } = scriptedClient()
  const one = service.subscribe('l2Book', { coin: 'BTC' })
  const other = service.subscribe('addressFills', { address: `0x${'a'.repeat(40)}` })
  await machine.settle()
  sockets[0]?.push(acknowledged(BTC), book(SOME_MS))
  service.close()
  await machine.settle()
  expect([one.state, other.state, machine.waiting]).toEqual(['closed', 'closed', 0])
  await machine.advance(120_000)
  expect(sockets).toHaveLength(2)
})
