import { expect, test } from 'bun:test'
import { type MemorySocket, memory } from '../src/transport/memory/memory.ts'
import { ADDRESS, START_MS, signed, toyRegistry } from './toy-market.ts'

const P = '/api/upgrade/v2/hl'

async function open(path = '/ws', wish = {}) {
  const registry = await toyRegistry({ epoch: 'tape', ...wish })
  const sandbox = registry.list()[0]
  if (!sandbox) throw new Error('no default sandbox')
  const socket = memory(registry).connect(`${P}${path}${path.includes('?') ? '&' : '?'}${signed()}`)
  if (!('frames' in socket)) throw new Error(socket.body)
  return { registry, sandbox, socket, advance: (ms: number) => sandbox.clock.advance(ms) }
}

const say = (socket: MemorySocket, frame: unknown) => socket.send(JSON.stringify(frame))
const heard = (socket: MemorySocket) => socket.frames.splice(0).map((text) => JSON.parse(text))
const subscribe = (subscription: object) => ({ method: 'subscribe', subscription })

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

test('a silent stream repeats its last snapshot, and says when it has expired', async () => {
  const { socket, sandbox, advance } = await open()
  say(socket, subscribe({ type: 'l2Book', coin: 'BTC' }))
  await advance(1_000)
  heard(socket)
  sandbox.playhead.set(sandbox.clock.nowMs(), { speed: 0 })
  sandbox.player.reposition()
  await advance(5_000)
  const [repeated] = heard(socket)
  expect(repeated.data.time).toBe(START_MS + 1_000)
  expect(repeated.data.stale).toBeUndefined()
  await advance(5_000)
  expect(heard(socket)[0].data).toMatchObject({ time: START_MS + 1_000, stale: true })
  sandbox.playhead.set(sandbox.clock.nowMs(), { speed: 1 })
  sandbox.player.reposition()
  await advance(1_000)
  expect(heard(socket)[0].data.stale).toBeUndefined()
})

test('candles are at least half a second apart', async () => {
  const { socket, sandbox, advance } = await open('/ws', { speed: 100 })
  say(socket, subscribe({ type: 'candle', coin: 'BTC', interval: '1m' }))
  heard(socket)
  const times: number[] = []
  for (let i = 0; i < 60; i++) {
    await advance(10)
    for (const _ of heard(socket)) times.push(sandbox.clock.nowMs())
  }
  expect(times.length).toBeGreaterThan(1)
  for (const [i, time] of times.entries())
    if (i > 0) expect(time - (times[i - 1] as number)).toBeGreaterThanOrEqual(500)
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

test('a subscription made late begins with how things stand then', async () => {
  const { registry, socket, advance } = await open()
  say(socket, subscribe({ type: 'bbo', coin: 'BTC' }))
  await advance(3_500)
  const late = memory(registry).connect(`${P}/ws?${signed()}`) as MemorySocket
  say(late, subscribe({ type: 'bbo', coin: 'BTC' }))
  expect(heard(late)[1].data.time).toBe(START_MS + 3_000)
  heard(socket)
  say(late, { method: 'unsubscribe', subscription: { type: 'bbo', coin: 'BTC' } })
  heard(late)
  await advance(1_000)
  expect([heard(socket).length, heard(late).length]).toEqual([1, 0])
})

test('one step of 50 s is the same as fifty of 1 s', async () => {
  const run = async (steps: number[]) => {
    const { socket, advance } = await open()
    for (const type of ['l2Book', 'bbo', 'trades']) say(socket, subscribe({ type, coin: 'BTC' }))
    say(socket, subscribe({ type: 'candle', coin: 'BTC', interval: '1m' }))
    for (const step of steps) await advance(step)
    return socket.frames
  }
  expect(await run([50_000])).toEqual(await run(Array(50).fill(1_000)))
})

test('a loop begins anew with times that go on', async () => {
  const { socket, advance } = await open()
  say(socket, subscribe({ type: 'bbo', coin: 'BTC' }))
  await advance(30_000)
  say(socket, { method: 'ping' })
  await advance(32_000)
  const times = heard(socket).flatMap(({ channel, data }) => (channel === 'bbo' ? [data.time] : []))
  expect(times.at(-1)).toBe(START_MS + 62_000)
  expect(times).toEqual([...times].sort((a, b) => a - b))
})

test('end of tape closes the connections when asked to', async () => {
  const { socket, advance } = await open('/ws', { end: 'end' })
  say(socket, subscribe({ type: 'bbo', coin: 'BTC' }))
  await advance(30_000)
  say(socket, { method: 'ping' })
  await advance(30_000)
  expect(socket.closeCode).toBe(1000)
})

test('sandboxes hear nothing of each other, and a dropped one closes its connections', async () => {
  const registry = await toyRegistry({ epoch: 'tape' })
  const other = await registry.create({ name: 'other' })
  const { accessKey, secretKey } = other.keys.full
  const mine = memory(registry).connect(`${P}/ws?${signed()}`) as MemorySocket
  const theirs = memory(registry).connect(
    `${P}/ws?${signed(accessKey, 0, secretKey)}`,
  ) as MemorySocket
  for (const socket of [mine, theirs]) say(socket, subscribe({ type: 'bbo', coin: 'BTC' }))
  heard(mine)
  await other.clock.advance(5_000)
  expect(mine.frames).toEqual([])
  expect(theirs.frames.length).toBe(7)
  registry.drop('other')
  expect([theirs.closeCode, mine.closeCode]).toEqual([1000, null])
})
