import { expect, test } from 'bun:test'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { ADDRESS, fakeRegistry, START_MS, signed } from '../fixtures/fake-market.ts'
import {
  openSocket,
  PREFIX,
  receivedFrames,
  sendJson,
  subscribeFrame,
} from '../fixtures/memory-socket.ts'

test('a bad signature gets no socket', async () => {
  const registry = await fakeRegistry()
  for (const query of ['', signed('demo', 40), signed('nobody'), signed('demo', 0, 'wrong')]) {
    const answer = memoryTransport(registry).connect(`${PREFIX}/ws?${query}`)
    expect(answer).toMatchObject({ status: 401 })
    expect(JSON.parse((answer as { body: string }).body)).toEqual({
      code: '401',
      msg: 'Invalid signature',
      data: null,
    })
  }
})

test('a key without the permission gets no socket', async () => {
  const registry = await fakeRegistry()
  const answer = memoryTransport(registry).connect(`${PREFIX}/ws/fills?${signed('demo-bare')}`)
  expect(answer).toMatchObject({ status: 403 })
  expect((answer as { body: string }).body).toContain('Permission denied: HL_WS_FILLS')
})

test('acknowledgement first, then the snapshot, then pushes', async () => {
  const { socket, advance } = await openSocket()
  sendJson(socket, subscribeFrame({ type: 'l2Book', coin: 'BTC', extra: null }))
  const [ack, snapshot] = receivedFrames(socket)
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
  expect(receivedFrames(socket).map(({ data }) => data.time)).toEqual([
    START_MS + 1_000,
    START_MS + 2_000,
  ])
})

test('the states of a subscription key', async () => {
  const { socket } = await openSocket()
  const l2 = (more = {}) => ({ type: 'l2Book', coin: 'BTC', ...more })
  const status = (method: string, subscription: object) => {
    sendJson(socket, { method, subscription })
    const { status, activeCount } = receivedFrames(socket)[0].data
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

test('mantissa is no part of the key of a book', async () => {
  const { socket } = await openSocket()
  const book = (more = {}) => ({ type: 'l2Book', coin: 'BTC', nSigFigs: 5, ...more })
  const replies = (method: string, subscription: object) => {
    sendJson(socket, { method, subscription })
    return receivedFrames(socket).map(({ data }) => data.status ?? data.coin)
  }
  expect(replies('subscribe', book({ mantissa: 2 }))).toEqual(['subscribed', 'BTC'])
  for (const mantissa of [undefined, null, 1, 2, 5])
    expect(replies('subscribe', book({ mantissa }))).toEqual(['alreadySubscribed'])
  expect(replies('unsubscribe', book({ mantissa: 5 }))).toEqual(['unsubscribed'])
  expect(replies('unsubscribe', book({ mantissa: 2 }))).toEqual(['notSubscribed'])
})

test('each connection gets the books of its subscriptions', async () => {
  const { registry, sandbox } = await recordedRegistry()
  const opened = [undefined, 1, 2, 5].map((mantissa) => {
    const socket = memoryTransport(registry).connect(`${PREFIX}/ws?${signed()}`) as MemorySocket
    sendJson(socket, subscribeFrame({ type: 'l2Book', coin: 'ETH', nSigFigs: 5, mantissa }))
    return { socket, step: mantissa ?? 1 }
  })
  await sandbox.clock.advance(5_000)
  const [plain, ...others] = opened.map(({ socket, step }) => {
    const books = receivedFrames(socket).flatMap(({ channel, data }) =>
      channel === 'l2Book' ? [data] : [],
    )
    expect(books.length).toBeGreaterThan(1)
    for (const { px } of books.flatMap(({ levels }) => levels.flat()))
      expect([step, (Number(px) * 10) % step]).toEqual([step, 0])
    return JSON.stringify(books)
  })
  expect(others.map((books) => books === plain)).toEqual([true, false, false])
})

test('replies of address-keyed channels omit status and count', async () => {
  const { socket } = await openSocket()
  sendJson(socket, subscribeFrame({ type: 'userFills', user: ADDRESS }))
  const [ack, snapshot] = receivedFrames(socket)
  expect(Object.keys(ack.data)).toEqual(['method', 'subscription'])
  expect(snapshot.data).toEqual({ isSnapshot: true, user: ADDRESS, fills: [] })
})

test('an option that is null is absent', async () => {
  const { socket } = await openSocket()
  for (const subscription of [
    { type: 'clearinghouseState', user: ADDRESS, dex: null },
    { type: 'userFills', user: ADDRESS, aggregateByTime: null },
  ]) {
    sendJson(socket, subscribeFrame(subscription))
    const [reply] = receivedFrames(socket)
    expect(reply).toMatchObject({ channel: 'subscriptionResponse', data: { subscription } })
  }
})

test('pings are answered in each dialect', async () => {
  const node = await openSocket()
  sendJson(node.socket, { method: 'ping' })
  expect(node.socket.frames).toEqual(['{"channel":"pong"}'])
  const fills = await openSocket('/ws/fills')
  sendJson(fills.socket, { type: 'ping' })
  expect(fills.socket.frames).toEqual(['{"type":"pong"}'])
})

test('60 s without a message from the client drops the connection', async () => {
  const { socket, advance } = await openSocket()
  sendJson(socket, subscribeFrame({ type: 'bbo', coin: 'BTC' }))
  await advance(59_999)
  sendJson(socket, { method: 'ping' })
  await advance(59_999)
  expect(socket.closeCode).toBeNull()
  await advance(1)
  expect(socket.closeCode).toBe(1006)
})

test('address sets are additive, and an empty one keeps the connection', async () => {
  const { socket } = await openSocket('/ws/clearinghouse-state')
  const other = ADDRESS.replace('aa', 'bb')
  const count = () => {
    receivedFrames(socket)
    sendJson(socket, { type: 'stat' })
    return receivedFrames(socket)[0].data.addressCount
  }
  sendJson(socket, { type: 'subscribe', address: [ADDRESS] })
  expect(socket.frames[0]).toBe('{"type":"subscribe"}')
  expect(count()).toBe(1)
  sendJson(socket, {
    type: 'subscribe',
    address: [ADDRESS.toUpperCase().replace('0X', '0x'), other],
  })
  expect(count()).toBe(2)
  sendJson(socket, { type: 'unsubscribe', address: [ADDRESS, other] })
  expect(socket.frames[0]).toBe('{"type":"unsubscribe"}')
  expect(count()).toBe(0)
  expect(socket.closeCode).toBeNull()
  sendJson(socket, { type: 'close' })
  expect([socket.frames, socket.closeCode]).toEqual([[], 1000])
})

test('stat counts sent frames', async () => {
  const { socket, advance } = await openSocket('/ws/fills')
  sendJson(socket, { type: 'ping' })
  await advance(2_000)
  sendJson(socket, { type: 'stat' })
  expect(receivedFrames(socket)[1]).toEqual({
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

test('an invalid frame gets an error, and nothing else happens', async () => {
  const { socket } = await openSocket()
  const replyTo = (message: string | Uint8Array) => {
    socket.send(message)
    return receivedFrames(socket)[0]
  }
  expect(replyTo('{')).toEqual({
    channel: 'error',
    data: 'Error parsing JSON into valid websocket request: {',
  })
  for (const type of ['allMids', 'orderUpdates', 'nonsense'])
    expect(replyTo(JSON.stringify(subscribeFrame({ type })))).toEqual({
      channel: 'error',
      data: `Invalid subscription {"type":"${type}"}`,
    })
  expect(replyTo(JSON.stringify(subscribeFrame({ type: 'bbo', coin: 'NOPE' }))).channel).toBe(
    'error',
  )
  // An error quotes the beginning of the frame.
  for (const long of [{ type: 'x'.repeat(200_000) }, { type: 'bbo', coin: 'y'.repeat(200_000) }])
    expect(replyTo(JSON.stringify(subscribeFrame(long))).data).toHaveLength(4_001)
  expect(replyTo('12').channel).toBe('error')
  expect(replyTo('null').channel).toBe('error')
  expect(replyTo('['.repeat(400_000)).channel).toBe('error')
  expect(replyTo('x'.repeat(1_000_000)).data).toContain('at most')
  expect(replyTo(new Uint8Array([1, 2])).data).toContain('text frames')
  expect(socket.closeCode).toBeNull()
})

test('subscriptions of a socket are bounded, and the error has the number', async () => {
  const { socket } = await openSocket('/ws/clearinghouse-state')
  const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`
  const subscribe = (from: number, count: number) => {
    const all = Array.from({ length: count }, (_, at) => address(from + at))
    sendJson(socket, { type: 'subscribe', address: all })
    return receivedFrames(socket).at(-1)
  }
  for (let from = 0; from < 10_000; from += 2_000)
    expect(subscribe(from, 2_000).data.address).toBe(address(from + 1_999))
  expect(subscribe(10_000, 2)).toEqual({
    type: 'error',
    data: 'a socket holds at most 10000 subscriptions, this would be number 10001',
  })
  sendJson(socket, { type: 'stat' })
  expect(receivedFrames(socket)[0].data.addressCount).toBe(10_000)
})
