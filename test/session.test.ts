import { expect, test } from 'bun:test'
import { memory } from '../src/transport/memory/memory.ts'
import { ADDRESS, START_MS, signed, toyRegistry } from './toy-market.ts'
import { heard, open, P, say, subscribe } from './toy-socket.ts'

test('a bad signature gets no socket', async () => {
  const registry = await toyRegistry()
  for (const query of ['', signed('demo', 40), signed('nobody'), signed('demo', 0, 'wrong')]) {
    const answer = memory(registry).connect(`${P}/ws?${query}`)
    expect(answer).toMatchObject({ status: 401 })
    expect(JSON.parse((answer as { body: string }).body)).toEqual({
      code: '401',
      msg: 'Invalid signature',
      data: null,
    })
  }
})

test('a key without the permission gets no socket', async () => {
  const registry = await toyRegistry()
  const answer = memory(registry).connect(`${P}/ws/fills?${signed('demo-bare')}`)
  expect(answer).toMatchObject({ status: 403 })
  expect((answer as { body: string }).body).toContain('Permission denied: HL_WS_FILLS')
})

test('acknowledgement first, then the snapshot, then pushes', async () => {
  const { socket, advance } = await open()
  say(socket, subscribe({ type: 'l2Book', coin: 'BTC', extra: null }))
  const [ack, snapshot] = heard(socket)
  expect(ack).toEqual({
    channel: 'subscriptionResponse',
    data: {
      method: 'subscribe',
      subscription: { type: 'l2Book', coin: 'BTC', extra: null },
      status: 'subscribed',
      activeCount: 1,
    },
  })
  expect(snapshot).toMatchObject({ channel: 'l2Book', data: { coin: 'BTC', time: START_MS } })
  await advance(2_000)
  expect(heard(socket).map(({ data }) => data.time)).toEqual([START_MS + 1_000, START_MS + 2_000])
})

test('the states of a subscription key', async () => {
  const { socket } = await open()
  const l2 = (more = {}) => ({ type: 'l2Book', coin: 'BTC', ...more })
  const status = (method: string, subscription: object) => {
    say(socket, { method, subscription })
    const { status, activeCount } = heard(socket)[0].data
    return [status, activeCount]
  }
  expect(status('unsubscribe', l2())).toEqual(['notSubscribed', 0])
  expect(status('subscribe', l2())).toEqual(['subscribed', 1])
  expect(status('subscribe', l2())).toEqual(['alreadySubscribed', 1])
  expect(status('subscribe', l2({ nSigFigs: 3 }))).toEqual(['subscribed', 2])
  expect(status('subscribe', l2({ nSigFigs: null }))).toEqual(['alreadySubscribed', 2])
  expect(status('unsubscribe', l2())).toEqual(['unsubscribed', 1])
  expect(status('unsubscribe', l2())).toEqual(['notSubscribed', 1])
  expect(status('subscribe', { type: 'bbo', coin: 'BTC' })).toEqual(['subscribed', 1])
})

test('address-keyed channels omit status and count', async () => {
  const { socket } = await open()
  say(socket, subscribe({ type: 'userFills', user: ADDRESS }))
  const [ack, snapshot] = heard(socket)
  expect(Object.keys(ack.data)).toEqual(['method', 'subscription'])
  expect(snapshot.data).toEqual({ isSnapshot: true, user: ADDRESS, fills: [] })
})

test('pings are answered in each dialect', async () => {
  const node = await open()
  say(node.socket, { method: 'ping' })
  expect(node.socket.frames).toEqual(['{"channel":"pong"}'])
  const fills = await open('/ws/fills')
  say(fills.socket, { type: 'ping' })
  expect(fills.socket.frames).toEqual(['{"type":"pong"}'])
})

test('60 s without a message from the client drops the connection', async () => {
  const { socket, advance } = await open()
  say(socket, subscribe({ type: 'bbo', coin: 'BTC' }))
  await advance(59_999)
  say(socket, { method: 'ping' })
  await advance(59_999)
  expect(socket.closeCode).toBeNull()
  await advance(1)
  expect(socket.closeCode).toBe(1006)
})

test('address sets are additive, and none left keeps the connection', async () => {
  const { socket } = await open('/ws/clearinghouse-state')
  const other = ADDRESS.replace('aa', 'bb')
  const count = () => {
    heard(socket)
    say(socket, { type: 'stat' })
    return heard(socket)[0].data.addressCount
  }
  say(socket, { type: 'subscribe', address: [ADDRESS] })
  expect(socket.frames[0]).toBe('{"type":"subscribe"}')
  expect(count()).toBe(1)
  say(socket, { type: 'subscribe', address: [ADDRESS.toUpperCase().replace('0X', '0x'), other] })
  expect(count()).toBe(2)
  say(socket, { type: 'unsubscribe', address: [ADDRESS, other] })
  expect(socket.frames[0]).toBe('{"type":"unsubscribe"}')
  expect(count()).toBe(0)
  expect(socket.closeCode).toBeNull()
  say(socket, { type: 'close' })
  expect([socket.frames, socket.closeCode]).toEqual([[], 1000])
})

test('stat counts what was sent', async () => {
  const { socket, advance } = await open('/ws/fills')
  say(socket, { type: 'ping' })
  await advance(2_000)
  say(socket, { type: 'stat' })
  expect(heard(socket)[1]).toEqual({
    type: 'stat',
    data: {
      addressCount: 0,
      duration: '2s',
      sentMsgCount: 1,
      msgPerSecond: 0.5,
      discardedCount: 0,
      queueLen: 0,
    },
  })
})

test('what makes no sense is told, and nothing else happens', async () => {
  const { socket } = await open()
  const told = (message: string | Uint8Array) => {
    socket.send(message)
    return heard(socket)[0]
  }
  expect(told('{')).toEqual({
    channel: 'error',
    data: 'Error parsing JSON into valid websocket request: {',
  })
  for (const type of ['allMids', 'orderUpdates', 'nonsense'])
    expect(told(JSON.stringify(subscribe({ type })))).toEqual({
      channel: 'error',
      data: `Invalid subscription {"type":"${type}"}`,
    })
  expect(told(JSON.stringify(subscribe({ type: 'bbo', coin: 'NOPE' }))).channel).toBe('error')
  expect(told('12').channel).toBe('error')
  expect(told('null').channel).toBe('error')
  expect(told('['.repeat(400_000)).channel).toBe('error')
  expect(told('x'.repeat(1_000_000)).data).toContain('at most')
  expect(told(new Uint8Array([1, 2])).data).toContain('text frames')
  expect(socket.closeCode).toBeNull()
})
