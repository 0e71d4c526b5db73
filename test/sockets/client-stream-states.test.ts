/** The states of a stream in the client: silent, stale, older, invalid. */
import { expect, test } from 'bun:test'
import { recorded } from '../fixtures/client-market.ts'
import { acknowledged, book, scriptedClient } from '../fixtures/scripted-sockets.ts'

const BTC = { type: 'l2Book', coin: 'BTC' }
const ETH = { type: 'l2Book', coin: 'ETH' }
const SOME_MS = 1_772_619_630_000

test('pushes that violate the contract are reported, and not passed on', async () => {
  const one = recorded()
  const { service, machine, sockets } = scriptedClient()
  service.subscribe('l2Book', { coin: 'BTC' }, one.listener, one)
  await machine.settle()
  const { data } = book(SOME_MS)
  sockets[0]?.push(acknowledged(BTC), {
    channel: 'l2Book',
    data: { ...data, levels: [[{ px: 99, sz: '1.0', n: 1 }], []] },
  })
  expect([one.pushes, one.kinds()]).toEqual([[], ['live', 'invalid']])
  expect(one.events[1]).toMatchObject({ path: '.levels[0][0].px' })
  sockets[0]?.push(book(SOME_MS))
  expect(one.pushes).toHaveLength(1)

  const unchecked = scriptedClient({ checksPushes: false })
  const other = recorded()
  unchecked.service.subscribe('l2Book', { coin: 'BTC' }, other.listener)
  await unchecked.machine.settle()
  unchecked.sockets[0]?.push({ channel: 'l2Book', data: { coin: 'BTC' } })
  expect(other.pushes).toHaveLength(1)
})

test('invalid frames are reported once each, and a greeting is not', async () => {
  const errors: string[] = []
  const { service, machine, sockets } = scriptedClient({
    onConnectionError: ({ message }) => errors.push(message),
  })
  service.subscribe('l2Book', { coin: 'BTC' })
  await machine.settle()
  sockets[0]?.push('Websocket connection established.', '<html>', 'null', '7')
  expect(errors).toEqual(
    ['<html>', 'null', '7'].map((text) => `/hl/ws: a frame is not JSON: ${text}`),
  )
})

test('a silent stream is reported; when all are silent, the connection is renewed', async () => {
  const { service, machine, sockets } = scriptedClient({ silentAfterMs: 20_000 })
  const [btc, eth] = [recorded(), recorded()]
  service.subscribe('l2Book', { coin: 'BTC' }, btc.listener, btc)
  service.subscribe('l2Book', { coin: 'ETH' }, eth.listener, eth)
  await machine.settle()
  sockets[0]?.push(acknowledged(BTC), acknowledged(ETH), book(SOME_MS))
  for (let second = 1; second <= 40; second++) {
    await machine.advance(1000)
    sockets[0]?.push({ channel: 'pong' }, book(SOME_MS + second, '99.0', '101.0', 'ETH'))
  }
  expect(btc.events).toEqual([
    { type: 'live' },
    { type: 'silent', forMs: 20_000, sinceMs: SOME_MS },
  ])
  expect([eth.kinds(), sockets.length]).toEqual([['live'], 1])
  await machine.advance(21_000)
  expect([eth.kinds(), sockets.length]).toEqual([['live', 'silent', 'lost'], 2])
  sockets[1]?.push(acknowledged(BTC), book(SOME_MS + 70_000))
  expect(btc.events.slice(3)).toEqual([
    { type: 'live' },
    { type: 'resumed', fromMs: SOME_MS, toMs: SOME_MS + 70_000, filled: 0 },
  ])
})

test('a book is stale when marked so, and when repeated with its old time', async () => {
  const { service, machine, sockets } = scriptedClient()
  const one = recorded()
  service.subscribe('l2Book', { coin: 'BTC' }, one.listener, one)
  await machine.settle()
  const marked = book(SOME_MS)
  sockets[0]?.push(book(SOME_MS), { ...marked, data: { ...marked.data, stale: true } })
  sockets[0]?.push(book(SOME_MS + 1))
  for (const _ of [1, 2, 3, 4]) {
    await machine.advance(5_000)
    sockets[0]?.push(book(SOME_MS + 1))
  }
  expect(one.kinds()).toEqual(['live', 'stale', 'live', 'stale'])
  expect(one.pushes.map(({ stale }) => stale)).toEqual([
    ...[false, true, false, false],
    ...[false, true, true],
  ])
})

test('older states are not passed on, until the time of the service has gone back', async () => {
  const { service, machine, sockets } = scriptedClient()
  const one = recorded<{ time: number }>()
  service.subscribe('l2Book', { coin: 'BTC' }, one.listener, one)
  await machine.settle()
  const pushed = [5, 6, 3, 7, 1, 2, 3, 4, 5, 6]
  sockets[0]?.push(...pushed.map((ms) => book(SOME_MS + ms)))
  expect(one.pushes.map(({ data }) => data.time - SOME_MS)).toEqual([5, 6, 7, 5, 6])
})
