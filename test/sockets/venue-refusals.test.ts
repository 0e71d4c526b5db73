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
  const unknown = { type: 'trades', coin: 'NOPE' }
  expect(errorsOf(['subscribe', unknown])).toEqual([
    `Invalid subscription ${JSON.stringify(unknown)}`,
  ])
})

test('a mantissa needs five significant figures', () => {
  const book = (rounding: object) =>
    errorsOf(['subscribe', { type: 'l2Book', coin: 'BTC', ...rounding }])
  for (const rounding of [{ mantissa: 2 }, { nSigFigs: 4, mantissa: 2 }])
    expect(book(rounding)[0]).toStartWith('Invalid subscription ')
  for (const rounding of [
    { nSigFigs: 5, mantissa: 2 },
    { nSigFigs: 4, mantissa: null },
  ])
    expect(book(rounding)).toEqual([])
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

  test('none without the limits of the venue', async () => {
    const free = await registry.create({ name: 'free', profile: 'raw', metering: 'off' })
    const socket = transport.connect(`/s/${free.id}/ws`) as MemorySocket
    for (let n = 1; n <= 12; n++) follow(socket, n)
    expect(errorsOn(socket)).toEqual([])
  })
})
