/** The raw profile: a client of the perpetual venue itself, unsigned and unchanged. */
import { afterAll, describe, expect, test } from 'bun:test'
import {
  HttpTransport,
  InfoClient,
  SubscriptionClient,
  WebSocketTransport,
} from '@nktkas/hyperliquid'
import { WEIGHT_PER_MINUTE } from '../../src/contract/venue/request-weights.ts'
import { listen, server } from '../../src/server/transport/elysia/server.ts'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'

const { registry } = await recordedRegistry({ clock: 'running', speed: 20 })
const raw = await registry.create({ name: 'raw', profile: 'raw' })
const app = server({ registry, control: [], pages: new Map() })
const { host } = new URL(listen(app, { port: 0, host: 'localhost' }))
const origin = `${host}/s/raw`
const user = (raw.world.cast(raw.facts().moment) as { openPositions: { address: string }[] })
  .openPositions[0]?.address as `0x${string}`

const http = new HttpTransport({ apiUrl: `http://${origin}/` })
const info = new InfoClient({ transport: http })
const socket = new WebSocketTransport({ url: `ws://${origin}/ws`, timeout: null })
const client = new SubscriptionClient({ transport: socket })

afterAll(async () => {
  socket.close()
  registry.close()
  await app.stop(true)
})

/** What the pushes of account channels may have. */
interface Pushed {
  spotState?: unknown
  clearinghouseStates?: [string, unknown][]
  isSnapshot?: boolean
  fills?: unknown[]
}

async function first<T>(subscribe: (listener: (event: T) => void) => Promise<unknown>): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  await subscribe(resolve)
  return promise
}

test('a native client asks over HTTP', async () => {
  const [meta, mids, state, book] = await Promise.all([
    info.meta(),
    info.allMids(),
    info.clearinghouseState({ user }),
    info.l2Book({ coin: 'BTC' }),
  ])
  expect(Object.keys(mids)).toContain(meta.universe[0]?.name as string)
  expect(state.assetPositions.length).toBeGreaterThan(0)
  expect(book?.coin).toBe('BTC')
})

test('a native client hears mid prices and its orders', async () => {
  const { mids } = await first<{ mids: Record<string, string> }>((hear) => client.allMids(hear))
  expect(Number(mids.BTC)).toBeGreaterThan(0)
  const maker = registry.get('raw')?.world.cast(raw.facts().moment) as {
    addresses: { maker: `0x${string}` }
  }
  const updates = await first<{ order: { oid: number }; status: string }[]>((hear) =>
    client.orderUpdates({ user: maker.addresses.maker }, hear),
  )
  expect(updates.length).toBeGreaterThan(0)
  for (const { order, status } of updates) {
    expect(order.oid).toBeGreaterThan(0)
    expect(['open', 'filled', 'canceled']).toContain(status)
  }
})

test('questions may come over the socket', async () => {
  const over = new InfoClient({ transport: socket })
  expect((await over.l2Book({ coin: 'ETH' }))?.coin).toBe('ETH')
})

describe('without a network', async () => {
  const { registry, sandbox } = await recordedRegistry({ profile: 'raw' })
  const transport = memoryTransport(registry)
  const ask = (body: unknown, path = '/info') =>
    transport.request('POST', path, typeof body === 'string' ? body : JSON.stringify(body))
  const summaryOf = ({ status, contentType, body }: ReturnType<typeof ask>) => [
    status,
    contentType.split(';')[0],
    body,
  ]

  test('what cannot be read is the venue’s 422 in plain text', () => {
    const words = 'Failed to deserialize the JSON body into the target type'
    for (const body of ['{', '[]', {}, { type: 'nothing' }, { type: 'userFills' }, { type: 7 }])
      expect(summaryOf(ask(body))).toEqual([422, 'text/plain', words])
  })

  test('too much weight in a minute is 429 with null, until the minute is over', async () => {
    sandbox.reset()
    const calls = WEIGHT_PER_MINUTE / 20
    for (let n = 0; n < calls; n++) expect(ask({ type: 'meta' }).status).toBe(200)
    expect(summaryOf(ask({ type: 'meta' }))).toEqual([429, 'application/json', 'null'])
    await sandbox.clock.advance(60_000)
    expect(ask({ type: 'meta' }).status).toBe(200)
    sandbox.reset()
  })

  test('the contract’s own paths ask for no signature either, but still know a wrong one', () => {
    const status = (query: string) =>
      transport.request('GET', `/api/upgrade/v2/hl/tickers?${query}`).status
    expect([status(''), status(signed()), status(signed('demo', 0, 'wrong'))]).toEqual([
      200, 200, 401,
    ])
  })

  test('a repeated subscription is an error, and the first is acknowledged as it was sent', () => {
    const ws = transport.connect('/ws') as MemorySocket
    const say = (method: string) =>
      ws.send(JSON.stringify({ method, subscription: { type: 'bbo', coin: 'BTC' } }))
    say('subscribe')
    say('subscribe')
    say('unsubscribe')
    say('unsubscribe')
    const received = ws.frames
      .map((frame) => JSON.parse(frame))
      .filter((one) => one.channel !== 'bbo')
    const subscription = { type: 'bbo', coin: 'BTC' }
    const text = JSON.stringify(subscription)
    expect(received).toEqual([
      { channel: 'subscriptionResponse', data: { method: 'subscribe', subscription } },
      { channel: 'error', data: `Already subscribed: ${text}` },
      { channel: 'subscriptionResponse', data: { method: 'unsubscribe', subscription } },
      { channel: 'error', data: `Already unsubscribed: ${text}` },
    ])
  })

  test('what the service pushes keeps a connection alive here', async () => {
    const busy = transport.connect('/ws') as MemorySocket
    const idle = transport.connect('/ws') as MemorySocket
    busy.send('{"method":"subscribe","subscription":{"type":"l2Book","coin":"BTC"}}')
    await sandbox.clock.advance(61_000)
    expect([busy.closeCode, idle.closeCode]).toEqual([null, 1006])
  })

  test('actions are refused in the form of the venue, over both ways', () => {
    const action = { type: 'cancel', cancels: [{ a: 0, o: 1 }] }
    const signed = { action, nonce: 1, signature: { r: '0x1', s: '0x2', v: 27 } }
    const { status, body } = ask(signed, '/exchange')
    const refusal = JSON.parse(body)
    expect([status, refusal.status]).toEqual([200, 'err'])
    expect(refusal.response).toContain('Actions are not carried out here')
    expect(summaryOf(ask({ nonce: 1 }, '/exchange')).slice(0, 2)).toEqual([422, 'text/plain'])
    const ws = transport.connect('/ws') as MemorySocket
    ws.send(JSON.stringify({ method: 'post', id: 3, request: { type: 'action', payload: signed } }))
    expect(JSON.parse(ws.frames.at(-1) ?? '')).toEqual({
      channel: 'post',
      data: { id: 3, response: { type: 'action', payload: refusal } },
    })
  })

  test('a time below 0 cannot be read, over both ways', () => {
    const range = { coin: 'BTC', interval: '1h', startTime: -1 }
    for (const body of [
      { type: 'fundingHistory', coin: 'BTC', startTime: -1 },
      { type: 'candleSnapshot', req: range },
    ]) {
      expect(ask(body).status).toBe(422)
      const ws = transport.connect('/ws') as MemorySocket
      const request = { type: 'info', payload: body }
      ws.send(JSON.stringify({ method: 'post', id: 1, request }))
      expect(JSON.parse(ws.frames.at(-1) ?? '').data.response.type).toBe('error')
    }
  })

  test('channels of accounts say what the questions of their kind say', async () => {
    const maker = (sandbox.world.cast(sandbox.facts().moment) as { addresses: { maker: string } })
      .addresses.maker
    const ws = transport.connect('/ws') as MemorySocket
    const types = [
      'userEvents',
      'notification',
      'activeAssetData',
      'spotState',
      'twapStates',
      'userTwapSliceFills',
      'allDexsClearinghouseState',
    ]
    for (const type of types) {
      const subscription = { type, user: maker, ...(type.startsWith('active') && { coin: 'BTC' }) }
      ws.send(JSON.stringify({ method: 'subscribe', subscription }))
    }
    const said = () =>
      ws.frames.map((frame) => JSON.parse(frame) as { channel: string; data: Pushed })
    expect(said().filter(({ channel }) => channel === 'error')).toEqual([])
    const of = (type: string): Pushed => said().find(({ channel }) => channel === type)?.data ?? {}
    const answer = (body: object) => JSON.parse(ask({ user: maker, ...body }).body)
    expect(of('spotState').spotState).toEqual(answer({ type: 'spotClearinghouseState' }))
    expect(of('activeAssetData')).toEqual(answer({ type: 'activeAssetData', coin: 'BTC' }))
    const states = new Map(of('allDexsClearinghouseState').clearinghouseStates)
    expect(states.get('')).toEqual(answer({ type: 'clearinghouseState' }))
    expect(of('userTwapSliceFills').isSnapshot).toBe(true)
    expect(of('twapStates')).toMatchObject({ dex: '', user: maker })
    for (let n = 0; n < 60 && of('userEvents').fills === undefined; n++)
      await sandbox.clock.advance(1000)
    expect(of('userEvents').fills?.[0]).toHaveProperty('tid')
    expect(of('notification')).toEqual({})
  })

  test('the number of a request comes back to its last digit', () => {
    const ws = transport.connect('/ws') as MemorySocket
    const request = '"request":{"type":"info","payload":{"type":"exchangeStatus","id":1}}'
    for (const id of ['9007199254740993', '18446744073709551615', '7']) {
      ws.send(`{"method":"post","id":${id},${request}}`)
      expect(ws.frames.at(-1)).toStartWith(
        `{"channel":"post","data":{"id":${id},"response":{"type"`,
      )
    }
    for (const id of ['18446744073709551616', '1.5', '-1', '"7"']) {
      ws.send(`{"method":"post","id":${id},${request}}`)
      expect(JSON.parse(ws.frames.at(-1) ?? '').channel).toBe('error')
    }
  })

  test('candles have the lengths of the venue, and no others', () => {
    const VENUE = '1m 3m 5m 15m 30m 1h 2h 4h 8h 12h 1d 3d 1w 1M'.split(' ')
    for (const interval of [...VENUE, '1s', '5s']) {
      const ws = transport.connect('/ws') as MemorySocket
      const subscription = { type: 'candle', coin: 'BTC', interval }
      ws.send(JSON.stringify({ method: 'subscribe', subscription }))
      const said = ws.frames.map((frame) => JSON.parse(frame))
      const isKnown = VENUE.includes(interval)
      expect([interval, said[0]?.channel]).toEqual([
        interval,
        isKnown ? 'subscriptionResponse' : 'error',
      ])
      if (isKnown) expect(said[1]).toMatchObject({ channel: 'candle', data: { i: interval } })
    }
  })
})

test('without metering no weight is too much', async () => {
  const { registry } = await recordedRegistry({ profile: 'raw', metering: 'off' })
  const { request } = memoryTransport(registry)
  const calls = WEIGHT_PER_MINUTE / 20
  for (let n = 0; n < 2 * calls; n++)
    expect(request('POST', '/info', '{"type":"meta"}').status).toBe(200)
})

test('a sandbox of the contract has neither /info nor /ws at its root', async () => {
  const { registry } = await recordedRegistry()
  const transport = memoryTransport(registry)
  expect(transport.request('POST', '/info', '{"type":"meta"}').status).toBe(404)
  expect(transport.connect('/ws')).toMatchObject({ status: 404 })
})
