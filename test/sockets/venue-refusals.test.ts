/** Refusals of the raw profile are those of the perpetual venue, so that its clients find them. */
import { describe, expect, test } from 'bun:test'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'

const { registry } = await recordedRegistry({ profile: 'raw' })
const transport = memoryTransport(registry)
const UNREADABLE = 'Error parsing JSON into valid websocket request: '

const user = (n: number) => `0x${n.toString(16).padStart(40, '0')}`
const open = (to = transport) => to.connect('/ws') as MemorySocket
const command = (method: string, subscription: unknown) => JSON.stringify({ method, subscription })

/** The errors after some commands on a new socket. */
function errorsOf(...commands: [method: string, subscription: unknown][]): string[] {
  const socket = open()
  for (const [method, subscription] of commands) socket.send(command(method, subscription))
  const errors = errorsOn(socket)
  socket.close()
  return errors
}

const errorsOn = ({ frames }: MemorySocket) =>
  frames
    .map((frame) => JSON.parse(frame))
    .filter(({ channel }) => channel === 'error')
    .map(({ data }) => data as string)

describe('over HTTP', () => {
  const ask = (body: unknown, path = '/info') => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const { status, contentType, body: answer } = transport.request('POST', path, text)
    return [status, contentType.split(';')[0], answer]
  }

  test('text that is no JSON is another refusal than JSON of another shape', () => {
    for (const text of ['', '{', '{"type":', '{"type":"allMids",}', 'type=allMids'])
      for (const path of ['/info', '/exchange'])
        expect(ask(text, path)).toEqual([
          400,
          'text/plain',
          'Failed to parse the request body as JSON',
        ])
    for (const body of ['[]', '"allMids"', {}, { type: 'nothing' }, { type: 'userFills' }])
      expect(ask(body)[0]).toBe(422)
  })

  test('an unknown coin or dex is the error 500 with null, but null of a book', () => {
    const nothing = [500, 'application/json', 'null']
    const req = { coin: 'NOPE', interval: '1h', startTime: 0 }
    for (const body of [
      { type: 'fundingHistory', coin: 'NOPE', startTime: 0 },
      { type: 'candleSnapshot', req },
      { type: 'recentTrades', coin: 'btc' },
      { type: 'meta', dex: 'nope' },
      { type: 'metaAndAssetCtxs', dex: 'nope' },
      { type: 'allMids', dex: 'nope' },
      { type: 'perpDexStatus', dex: 'nope' },
    ])
      expect(ask(body)).toEqual(nothing)
    expect(ask({ type: 'l2Book', coin: 'NOPE' })).toEqual([200, 'application/json', 'null'])
    expect(ask({ type: 'allMids', dex: 7 })[0]).toBe(422)
  })

  test('over a socket it is null in the answer', () => {
    const socket = open()
    const payload = { type: 'fundingHistory', coin: 'NOPE', startTime: 0 }
    const request = { type: 'info', payload }
    socket.send(JSON.stringify({ method: 'post', id: 1, request }))
    expect(JSON.parse(socket.frames.at(-1) ?? '').data.response.payload.data).toBeNull()
  })
})

test('a repeated command is refused with the subscription as the venue reads it', () => {
  const asRead = (given: object, read: object) =>
    expect(errorsOf(['subscribe', given], ['subscribe', given])).toEqual([
      `Already subscribed: ${JSON.stringify(read)}`,
    ])
  asRead(
    { coin: 'ETH', interval: '30m', type: 'candle' },
    { type: 'candle', interval: '30m', coin: 'ETH' },
  )
  asRead(
    { type: 'l2Book', coin: 'SOL' },
    { type: 'l2Book', coin: 'SOL', nSigFigs: null, mantissa: null, fast: false },
  )
  expect(errorsOf(['unsubscribe', { coin: 'BTC', x: 1, type: 'trades' }])).toEqual([
    'Already unsubscribed: {"type":"trades","coin":"BTC"}',
  ])
})

test('a subscription of another shape is a frame that cannot be read', () => {
  for (const subscription of [
    { type: 'nothing' },
    { type: 'trades', coin: ['BTC', 'ETH'] },
    { type: 'trades' },
    { type: 'candle', coin: 'BTC', interval: '1s' },
    { type: 'userFills', user: 'me' },
  ])
    for (const method of ['subscribe', 'unsubscribe'])
      expect(errorsOf([method, subscription])).toEqual([UNREADABLE + command(method, subscription)])
})

describe('a subscription to something that there is not', () => {
  const sent = (method: string, subscription: object) => {
    const socket = open()
    socket.send(command('subscribe', { type: 'trades', coin: 'BTC' }))
    socket.send(command(method, subscription))
    socket.send('{"method":"ping"}')
    const { frames, closeCode } = socket
    socket.close()
    return [closeCode, frames.at(-1)]
  }
  const alive = [null, '{"channel":"pong"}']

  test('drops the connection without a word, as the venue does', () => {
    for (const absent of [
      { type: 'trades', coin: 'NOPE' },
      { type: 'candle', coin: 'btc', interval: '1m' },
      { type: 'bbo', coin: '@99999' },
      { type: 'allMids', dex: 'nope' },
      { type: 'activeAssetCtx', coin: 'NOPE' },
    ]) {
      const [closeCode, last] = sent('subscribe', absent)
      expect(closeCode).toBe(1006)
      expect(JSON.parse(last as string).channel).toBe('trades')
      expect(sent('unsubscribe', absent)).toEqual(alive)
    }
  })

  test('is also a book with a mantissa without five significant figures', () => {
    const book = (rounding: object) =>
      sent('subscribe', { type: 'l2Book', coin: 'BTC', ...rounding })
    for (const rounding of [{ mantissa: 2 }, { nSigFigs: 4, mantissa: 2 }])
      expect(book(rounding)[0]).toBe(1006)
    for (const rounding of [
      { nSigFigs: 5, mantissa: 2 },
      { nSigFigs: 4, mantissa: null },
    ])
      expect(book(rounding)).toEqual(alive)
  })

  test('is the name of a pair that clients convert, which the journal says', async () => {
    const { registry: own, sandbox } = await recordedRegistry({ profile: 'raw' })
    const subscription = { type: 'activeAssetCtx', coin: 'HYPE/USDC' }
    open(memoryTransport(own)).send(command('subscribe', subscription))
    const { subject } = sandbox.journal.entry(sandbox.journal.newest) as { subject: string }
    expect(subject).toEndWith(`${JSON.stringify(subscription)}: the venue names this pair @107`)
    const named = open(memoryTransport(own))
    named.send(command('subscribe', { ...subscription, coin: '@107' }))
    expect(JSON.parse(named.frames.at(-1) ?? '').data.coin).toBe('@107')
  })

  test('has its reason in the journal', async () => {
    const { registry: own, sandbox } = await recordedRegistry({ profile: 'raw' })
    open(memoryTransport(own)).send(command('subscribe', { type: 'trades', coin: 'NOPE' }))
    expect(sandbox.journal.entry(sandbox.journal.newest)).toMatchObject({
      event: 'closed',
      status: 1006,
      subject: 'Invalid subscription {"type":"trades","coin":"NOPE"}',
    })
  })
})

test('a candle has the fields of the venue and no others', () => {
  const socket = open()
  socket.send(command('subscribe', { type: 'candle', coin: 'BTC', interval: '1m' }))
  const { channel, data } = JSON.parse(socket.frames.at(-1) ?? '')
  expect(channel).toBe('candle')
  expect(Object.keys(data).sort().join()).toBe('T,c,h,i,l,n,o,s,t,v')
})

describe('limits of an address', () => {
  const MOST_USERS = 'Cannot track more than 10 total users.'
  const follow = (socket: MemorySocket, n: number, type = 'userFills', method = 'subscribe') =>
    socket.send(command(method, { type, user: user(n) }))

  test('ten users over all its sockets', () => {
    const [one, other] = [open(), open()]
    for (let n = 1; n <= 10; n++) follow(one, n)
    follow(one, 10, 'openOrders')
    expect(errorsOn(one)).toEqual([])
    follow(one, 11)
    follow(other, 11)
    expect([errorsOn(one), errorsOn(other)]).toEqual([[MOST_USERS], [MOST_USERS]])
    follow(one, 10, 'userFills', 'unsubscribe')
    follow(other, 11, 'orderUpdates')
    expect(errorsOn(other)).toHaveLength(2)
    follow(one, 10, 'openOrders', 'unsubscribe')
    follow(other, 11)
    expect(errorsOn(other)).toHaveLength(2)
    one.close()
    for (let n = 21; n <= 29; n++) follow(other, n)
    expect(errorsOn(other)).toHaveLength(2)
    other.close()
  })

  test('1000 subscriptions over all its sockets', async () => {
    const own = memoryTransport((await recordedRegistry({ profile: 'raw' })).registry)
    const intervals = ['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '8h', '12h']
    const candles = ['BTC', 'ETH', 'SOL', 'HYPE', 'DOGE'].flatMap((coin) =>
      intervals.map((interval) => ({ type: 'candle', coin, interval })),
    )
    const sockets = Array.from({ length: 20 }, () => open(own))
    for (const socket of sockets)
      for (const candle of candles) socket.send(command('subscribe', candle))
    expect(sockets.flatMap(errorsOn)).toEqual([])
    const [one, other] = [open(own), sockets[0] as MemorySocket]
    const trades = { type: 'trades', coin: 'BTC' }
    one.send(command('subscribe', trades))
    expect(errorsOn(one)).toEqual(['Cannot subscribe to more than 1000 channels.'])
    other.send(command('subscribe', candles[0]))
    expect(errorsOn(other)[0]).toStartWith('Already subscribed: ')
    other.send(command('unsubscribe', candles[0]))
    one.send(command('subscribe', trades))
    expect(errorsOn(one)).toHaveLength(1)
  })

  test('2000 messages a minute over all its sockets', async () => {
    const own = await recordedRegistry({ profile: 'raw', clock: 'held' })
    const [one, other] = [open(memoryTransport(own.registry)), open(memoryTransport(own.registry))]
    for (let n = 0; n < 1_000; n++)
      for (const socket of [one, other]) socket.send('{"method":"ping"}')
    expect([errorsOn(one), errorsOn(other)]).toEqual([[], []])
    one.send('{"method":"ping"}')
    other.send(command('subscribe', { type: 'trades', coin: 'BTC' }))
    const tooMany = 'Cannot send more than 2000 messages per minute.'
    expect([errorsOn(one), errorsOn(other)]).toEqual([[tooMany], [tooMany]])
    expect(other.frames).toHaveLength(1_001)
    for (let half = 0; half < 2; half++) {
      own.sandbox.clock.advance(30_000)
      one.send('{"method":"ping"}')
    }
    expect(one.frames.at(-1)).toBe('{"channel":"pong"}')
  })

  test('100 connections, then 429 with null as over HTTP; a closed one makes room', async () => {
    const own = memoryTransport((await recordedRegistry({ profile: 'raw' })).registry)
    const sockets = Array.from({ length: 100 }, () => open(own))
    expect(own.connect('/ws')).toMatchObject({ status: 429, body: 'null' })
    sockets[7]?.close()
    expect(open(own).closeCode).toBeNull()
    expect(own.connect('/ws')).toMatchObject({ status: 429 })
  })

  test('with the newer limits, 30 new connections a minute', async () => {
    const questions = { 'venue-connections': '10' } as const
    const options = { profile: 'raw', clock: 'held', questions } as const
    const { registry: own, sandbox } = await recordedRegistry(options)
    const { connect } = memoryTransport(own)
    for (let n = 0; n < 30; n++) open(memoryTransport(own)).close()
    expect(connect('/ws')).toMatchObject({ status: 429 })
    sandbox.clock.advance(60_000)
    for (let n = 0; n < 10; n++) expect(connect('/ws')).not.toHaveProperty('status')
    expect(connect('/ws')).toMatchObject({ status: 429 })
  })

  test('none without the limits of the venue', async () => {
    const free = await registry.create({ name: 'free', profile: 'raw', metering: 'off' })
    const sockets = Array.from({ length: 101 }, () => transport.connect(`/s/${free.id}/ws`))
    const socket = sockets.at(-1) as MemorySocket
    for (let n = 1; n <= 12; n++) follow(socket, n)
    for (let n = 0; n < 2_000; n++) socket.send('{"method":"ping"}')
    expect(errorsOn(socket)).toEqual([])
  })
})
