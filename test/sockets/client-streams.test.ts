/** Subscriptions: requests, acknowledgements, refusals, and receivers. */
import { expect, test } from 'bun:test'
import { client } from '../../src/clients/service/client.ts'
import { failure } from '../fixtures/answered-client.ts'
import { recorded } from '../fixtures/client-market.ts'
import { ADDRESS, acknowledged, book, OTHER, scriptedClient } from '../fixtures/scripted-sockets.ts'

const BTC = { type: 'l2Book', coin: 'BTC' }
const SOME_MS = 1_772_619_630_000

test('an error concerns the subscription that it names, whatever the order', async () => {
  const { service, machine, sockets } = scriptedClient()
  const [btc, eth] = [recorded(), recorded()]
  const first = service.subscribe('l2Book', { coin: 'BTC' }, btc.listener, btc)
  const second = service.subscribe('l2Book', { coin: 'ETH' }, eth.listener, eth)
  await machine.settle()
  const [socket] = sockets
  const reason = 'Invalid subscription {"type":"l2Book","coin":"ETH"}'
  socket?.push({ channel: 'error', data: reason }, acknowledged(BTC))
  await first.ready
  expect(String(await failure(second.ready))).toBe(`ClientError: l2Book: ${reason}`)
  expect(eth.events).toEqual([{ type: 'refused', reason, error: expect.anything() }])
  expect([first.state, second.state, btc.kinds()]).toEqual(['live', 'refused', ['live']])
})

test('an error without a name removes no subscription', async () => {
  const errors: Error[] = []
  const { service, machine, sockets } = scriptedClient({
    onConnectionError: (error) => errors.push(error),
  })
  const one = recorded()
  const subscription = service.subscribe('l2Book', { coin: 'BTC' }, one.listener, one)
  await machine.settle()
  sockets[0]?.push({ channel: 'error', data: 'Cannot send more than 2000 messages per minute.' })
  sockets[0]?.push(acknowledged(BTC), book(SOME_MS))
  await subscription.ready
  expect(one.pushes).toHaveLength(1)
  expect(errors.map(String)).toEqual([
    'ConnectionError: /hl/ws: Cannot send more than 2000 messages per minute.',
  ])
})

test('an unacknowledged subscription is requested again, and then counts as refused', async () => {
  const { service, machine, sockets } = scriptedClient()
  const one = recorded()
  const { ready } = service.subscribe('l2Book', { coin: 'BTC' }, one.listener, one)
  await machine.settle()
  sockets[0]?.push({ channel: 'error', data: 'Cannot track more than 10 total users.' })
  await machine.advance(10_000)
  expect(sockets[0]?.sent).toEqual(Array(2).fill({ method: 'subscribe', subscription: BTC }))
  await machine.advance(10_000)
  expect((await failure(ready)).message).toBe(
    'l2Book: not acknowledged within 20 s; the service said: ' +
      'Cannot track more than 10 total users.',
  )
  expect(one.kinds()).toEqual(['refused'])
  // It may be followed all the same, and then it is.
  sockets[0]?.push(book(SOME_MS))
  expect([one.kinds(), one.pushes.length]).toEqual([['refused', 'live'], 1])
})

test('a push confirms a subscription without an acknowledgement', async () => {
  const { service, machine, sockets } = scriptedClient()
  const one = recorded()
  const { ready } = service.subscribe('l2Book', { coin: 'BTC' }, one.listener, one)
  await machine.settle()
  sockets[0]?.push(book(SOME_MS))
  await ready
  await machine.advance(20_000)
  expect([sockets[0]?.sent.length, one.kinds()]).toEqual([1, ['live']])
})

test('equal subscriptions are requested once, and later subscribers get the state', async () => {
  const { service, machine, sockets } = scriptedClient()
  const [early, late] = [recorded<{ time: number }>(), recorded<{ time: number }>()]
  const first = service.subscribe('l2Book', { coin: 'BTC' }, early.listener)
  await machine.settle()
  sockets[0]?.push(acknowledged(BTC), book(SOME_MS))
  const second = service.subscribe('l2Book', { coin: 'BTC' }, late.listener)
  await second.ready
  expect(late.pushes).toMatchObject([{ data: { time: SOME_MS }, isSnapshot: true }])
  sockets[0]?.push(book(SOME_MS + 500))
  expect([early.pushes.length, late.pushes.length, sockets[0]?.sent.length]).toEqual([2, 2, 1])
  first.close()
  expect(sockets[0]?.sent).toHaveLength(1)
  second.close()
  expect(sockets[0]?.sent[1]).toEqual({ method: 'unsubscribe', subscription: BTC })
})

test('users share connections: one of a channel each, addresses by the list', async () => {
  const { service, machine, sockets } = scriptedClient({
    socketLimits: { connections: 3, subscriptions: 9 },
  })
  service.subscribe('userFills', { user: ADDRESS })
  service.subscribe('clearinghouseState', { user: OTHER })
  service.subscribe('userFills', { user: OTHER })
  for (const address of [ADDRESS, OTHER]) service.subscribe('addressFills', { address })
  await machine.settle()
  expect(sockets.map(({ sent }) => sent.length)).toEqual([2, 1, 1])
  expect(sockets[2]?.sent).toEqual([{ type: 'subscribe', address: [ADDRESS, OTHER] }])
  const third = { user: '0x00000000000000000000000000000000000000cc' }
  expect(() => service.subscribe('userFills', third)).toThrow(
    'userFills: this would be connection 4: socketLimits allows 3',
  )
  expect(() => service.subscribe('userFills', { user: 'me' })).toThrow(
    'user must be 0x and 40 hexadecimal digits',
  )
})

test('an error of a listener is reported, and does not affect others', async () => {
  const failures: unknown[] = []
  const { service, machine, sockets } = scriptedClient({
    onListenerError: (error, channel) => failures.push([channel, String(error)]),
  })
  const other = recorded()
  service.subscribe('l2Book', { coin: 'BTC' }, () => {
    throw new Error('not today')
  })
  service.subscribe('l2Book', { coin: 'BTC' }, other.listener)
  await machine.settle()
  sockets[0]?.push(acknowledged(BTC), book(SOME_MS), book(SOME_MS + 1))
  expect(other.pushes).toHaveLength(2)
  expect(failures).toEqual(Array(2).fill(['l2Book', 'Error: not today']))
})

test('iterating yields pushes, until it is closed', async () => {
  const { service, machine, sockets } = scriptedClient()
  const books = service.subscribe('l2Book', { coin: 'BTC' })
  const times: number[] = []
  const reading = (async () => {
    for await (const { data, isSnapshot } of books) {
      times.push(data.time - SOME_MS)
      expect(isSnapshot).toBe(times.length === 1)
      if (times.length === 3) books.close()
    }
  })()
  await machine.settle()
  sockets[0]?.push(acknowledged(BTC), ...[1, 2, 3, 4].map((ms) => book(SOME_MS + ms)))
  await reading
  expect([times, books.state]).toEqual([[1, 2, 3], 'closed'])
})

test('iterating throws when the subscription is refused, after waiting pushes', async () => {
  const { service, machine, sockets } = scriptedClient()
  const books = service.subscribe('l2Book', { coin: 'BTC' })
  const iterator = books[Symbol.asyncIterator]()
  const [late, waiting] = [books[Symbol.asyncIterator](), iterator.next()]
  await machine.settle()
  sockets[0]?.push(acknowledged(BTC), book(SOME_MS), book(SOME_MS + 1))
  expect((await waiting).done).toBe(false)
  const [second, third] = [iterator.next(), iterator.next()]
  expect((await second).done).toBe(false)
  const reason = 'Invalid subscription {"type":"l2Book","coin":"BTC"}'
  sockets[0]?.push({ channel: 'error', data: reason })
  expect(String(await failure(third))).toBe(`ClientError: l2Book: ${reason}`)
  expect(await iterator.next()).toMatchObject({ done: true })
  for (const _ of [1, 2]) expect((await late.next()).done).toBe(false)
  expect(String(await failure(late.next()))).toContain(reason)
  expect(await late.next()).toMatchObject({ done: true })
  expect(String(await failure(books[Symbol.asyncIterator]().next()))).toContain(reason)
})

test('iterating throws when there is no socket at all', async () => {
  const socketClass = class {
    constructor() {
      throw new Error('this Node has no WebSocket')
    }
  } as unknown as typeof WebSocket
  const service = client({
    baseUrl: 'http://127.0.0.1:1',
    accessKey: 'a',
    secretKey: 's',
    socketClass,
  })
  const next = service.subscribe('bbo', { coin: 'BTC' })[Symbol.asyncIterator]().next()
  expect(String(await failure(next))).toContain('this Node has no WebSocket')
  service.close()
})

test('a printed subscription shows no secret', () => {
  const service = client({ baseUrl: 'http://127.0.0.1:1', accessKey: 'demo', secretKey: 'hush!' })
  const subscription = service.subscribe('l2Book', { coin: 'BTC' })
  expect(Bun.inspect(subscription, { depth: 20 })).not.toContain('hush!')
  service.close()
})
