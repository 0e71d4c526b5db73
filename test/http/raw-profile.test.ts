/** The raw profile: a client of the perpetual venue itself, unsigned and unchanged. */
import { afterAll, describe, expect, test } from 'bun:test'
import {
  HttpTransport,
  InfoClient,
  SubscriptionClient,
  WebSocketTransport,
} from '@nktkas/hyperliquid'
import { WEIGHT_PER_MINUTE } from '../../src/contract/venue.ts'
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
const { openPositions } = raw.world.cast(raw.facts().moment) as {
  openPositions: { address: string; coin: string }[]
}
/** With a position on the main dex. */
const user = openPositions.find(({ coin }) => !coin.includes(':'))?.address as `0x${string}`

const http = new HttpTransport({ apiUrl: `http://${origin}/` })
const info = new InfoClient({ transport: http })
const socket = new WebSocketTransport({ url: `ws://${origin}/ws`, timeout: null })
const client = new SubscriptionClient({ transport: socket })

afterAll(async () => {
  socket.close()
  registry.close()
  await app.stop(true)
})

/** The allowed forms of account channels' pushes. */
interface Pushed {
  spotState?: unknown
  clearinghouseStates?: [string, unknown][]
  isSnapshot?: boolean
  fills?: unknown[]
}

/** A candle of the venue. */
interface Kline {
  t: number
  o: string
  h: string
  l: string
  c: string
  v: string
  n: number
}

async function first<T>(subscribe: (listener: (event: T) => void) => Promise<unknown>): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  await subscribe(resolve)
  return promise
}

test('a native client uses HTTP', async () => {
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

test('a native client receives mid prices and its orders', async () => {
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

test('a native client hears markets, in every form there is', async () => {
  const pair = (await info.spotMeta()).universe[0]?.name as string
  const perp = await first<{ coin: string; ctx: { openInterest: string } }>((hear) =>
    client.activeAssetCtx({ coin: 'BTC' }, hear),
  )
  expect(Number(perp.ctx.openInterest)).toBeGreaterThan(0)
  const spot = await first<{ coin: string; ctx: object }>((hear) =>
    client.activeSpotAssetCtx({ coin: pair }, hear),
  )
  expect(spot).toMatchObject({ coin: pair, ctx: { coin: pair } })
  const [[meta, contexts], all, fast] = await Promise.all([
    info.metaAndAssetCtxs(),
    first<{ ctxs: [string, unknown[]][] }>((hear) => client.allDexsAssetCtxs(hear)),
    first<Record<string, { markPx?: string }>>((hear) => client.fastAssetCtxs(hear)),
  ])
  expect(all.ctxs[0]?.[1]).toHaveLength(contexts.length)
  expect(Object.keys(fast)).toEqual(expect.arrayContaining(meta.universe.map(({ name }) => name)))
  expect(Number(fast.BTC?.markPx)).toBeGreaterThan(0)
})

test('a native client hears an account, under the channel that it listens to', async () => {
  const state = await first<{ userState: { user: string } }>((hear) =>
    client.webData3({ user }, hear),
  )
  expect(state.userState.user).toBe(user)
  const { fundings } = await first<{ fundings: { coin: string }[] }>((hear) =>
    client.userFundings({ user }, hear),
  )
  expect(Array.isArray(fundings)).toBe(true)
  const { addresses } = raw.world.cast(raw.facts().moment) as {
    addresses: Record<string, `0x${string}`[]>
  }
  const maker = [addresses.maker].flat()[0] as `0x${string}`
  const events = await first<object>((hear) => client.userEvents({ user: maker }, hear))
  expect(events).toHaveProperty('fills')
})

test('a body that does not say that it is JSON is refused, as the venue refuses it', async () => {
  const send = async (contentType: string | null, path = 'info') => {
    const body = new Blob(['{"type":"exchangeStatus","action":{}}'])
    const headers: Record<string, string> = contentType ? { 'content-type': contentType } : {}
    const answer = await fetch(`http://${origin}/${path}`, { method: 'POST', headers, body })
    return [answer.status, answer.status === 200 ? '' : await answer.text()]
  }
  for (const json of ['application/json', 'application/json; charset=utf-8', 'application/a+json'])
    expect(await send(json)).toEqual([200, ''])
  for (const other of ['text/plain', 'application/x-www-form-urlencoded', 'text/json', null])
    for (const path of ['info', 'exchange'])
      expect(await send(other, path)).toEqual([
        415,
        'Expected request with `Content-Type: application/json`',
      ])
})

test('info requests work over the socket', async () => {
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

  test('an invalid body is the venue’s 422 in plain text', () => {
    const words = 'Failed to deserialize the JSON body into the target type'
    for (const body of ['[]', {}, { type: 'nothing' }, { type: 'userFills' }, { type: 7 }])
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

  test('the contract’s own paths require no signature either, but still refuse a wrong one', () => {
    const status = (query: string) =>
      transport.request('GET', `/api/upgrade/v2/hl/tickers?${query}`).status
    expect([status(''), status(signed()), status(signed('demo', 0, 'wrong'))]).toEqual([
      200, 200, 401,
    ])
  })

  test('a repeated subscription is an error, and the first is acknowledged as sent', () => {
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

  test('pushes keep a connection alive here', async () => {
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

  test('a negative time is refused, over both ways', () => {
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

  test('numbers are whole and written so, over both ways', () => {
    const range = (startTime: string) =>
      `{"type":"candleSnapshot","req":{"coin":"BTC","interval":"1h","startTime":${startTime}}}`
    const over = ['18446744073709551616', '1'.repeat(400)]
    for (const number of ['1.0e12', '1e12', '1000000000000.0', '1E3', ...over]) {
      expect(summaryOf(ask(range(number))).slice(0, 2)).toEqual([422, 'text/plain'])
      const ws = transport.connect('/ws') as MemorySocket
      ws.send(`{"method":"post","id":1,"request":{"type":"info","payload":${range(number)}}}`)
      expect(JSON.parse(ws.frames.at(-1) ?? '').channel).toBe('error')
    }
    expect(ask(range('1000000000000')).status).toBe(200)
    expect(ask('{"type":"l2Book","coin":"1.0e3"}').status).toBe(200)
  })

  test('a token stands at the place of its number', () => {
    for (const meta of [
      JSON.parse(ask({ type: 'spotMeta' }).body),
      JSON.parse(ask({ type: 'spotMetaAndAssetCtxs' }).body)[0],
    ]) {
      const { tokens, universe } = meta as {
        tokens: { index: number; name: string }[]
        universe: { tokens: number[] }[]
      }
      expect(tokens.map(({ index }) => index)).toEqual(tokens.map((_, place) => place))
      for (const pair of universe)
        for (const number of pair.tokens) expect(tokens[number]?.name).not.toStartWith('TOKEN')
    }
  })

  test('channels of accounts agree with the info types of their kind', async () => {
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
    const frames = () =>
      ws.frames.map((frame) => JSON.parse(frame) as { channel: string; data: Pushed })
    expect(frames().filter(({ channel }) => channel === 'error')).toEqual([])
    const of = (type: string): Pushed =>
      frames().find(({ channel }) => channel === type)?.data ?? {}
    const answer = (body: object) => JSON.parse(ask({ user: maker, ...body }).body)
    expect(of('spotState').spotState).toEqual(answer({ type: 'spotClearinghouseState' }))
    expect(of('activeAssetData')).toEqual(answer({ type: 'activeAssetData', coin: 'BTC' }))
    const states = new Map(of('allDexsClearinghouseState').clearinghouseStates)
    expect(states.get('')).toEqual(answer({ type: 'clearinghouseState' }))
    expect(of('userTwapSliceFills').isSnapshot).toBe(true)
    expect(of('twapStates')).toMatchObject({ dex: '', user: maker })
    for (let s = 0; s < 900 && of('user').fills === undefined; s += 5)
      await sandbox.clock.advance(5000)
    expect(of('user').fills?.[0]).toHaveProperty('tid')
    expect(of('notification')).toEqual({})
  })

  test('a subscription is acknowledged as the venue reads it', () => {
    const user = `0x${'aB'.repeat(20)}`
    const echoed = (subscription: object) => {
      const ws = transport.connect('/ws') as MemorySocket
      ws.send(JSON.stringify({ method: 'subscribe', subscription }))
      return JSON.stringify(JSON.parse(ws.frames[0] ?? '').data.subscription)
    }
    const book = '{"type":"l2Book","coin":"BTC","nSigFigs":null,"mantissa":null,"fast":false}'
    expect(echoed({ coin: 'BTC', type: 'l2Book', unknown: 1 })).toBe(book)
    expect(echoed({ type: 'l2Book', coin: 'BTC', nSigFigs: 5, mantissa: 2, fast: true })).toBe(
      '{"type":"l2Book","coin":"BTC","nSigFigs":5,"mantissa":2,"fast":true}',
    )
    expect(echoed({ user, type: 'userFills' })).toBe(
      `{"type":"userFills","user":"${user.toLowerCase()}","aggregateByTime":false}`,
    )
    expect(echoed({ type: 'candle', coin: 'BTC', interval: '1m' })).toBe(
      '{"type":"candle","interval":"1m","coin":"BTC"}',
    )
    expect(echoed({ type: 'allMids' })).toBe('{"type":"allMids","dex":""}')
  })

  test('orders and events of an account are not repeated to a new subscription', () => {
    const { addresses } = sandbox.world.cast(sandbox.facts().moment) as {
      addresses: { maker: string }
    }
    const channelsOf = (type: string) => {
      const ws = transport.connect('/ws') as MemorySocket
      const subscription = { type, user: addresses.maker }
      for (const method of ['subscribe', 'unsubscribe', 'subscribe'])
        ws.send(JSON.stringify({ method, subscription }))
      return ws.frames.map((frame) => JSON.parse(frame).channel)
    }
    const answered = Array.from({ length: 3 }, () => 'subscriptionResponse')
    expect(channelsOf('orderUpdates')).toEqual(answered)
    expect(channelsOf('userEvents')).toEqual(answered)
    expect(channelsOf('userFills').filter((one) => one === 'userFills')).toHaveLength(2)
  })

  test('a flag that is false is one that was left out', () => {
    const ws = transport.connect('/ws') as MemorySocket
    for (const fast of [undefined, false])
      ws.send(
        JSON.stringify({
          method: 'subscribe',
          subscription: { type: 'l2Book', coin: 'BTC', fast },
        }),
      )
    expect(JSON.parse(ws.frames.at(-1) ?? '').data).toStartWith('Already subscribed: ')
  })

  test('one socket has a book at several roundings, and one again after it was left', () => {
    const ws = transport.connect('/ws') as MemorySocket
    const say = (method: string, nSigFigs: number) =>
      ws.send(JSON.stringify({ method, subscription: { type: 'l2Book', coin: 'ETH', nSigFigs } }))
    say('subscribe', 4)
    say('subscribe', 5)
    say('unsubscribe', 4)
    say('subscribe', 4)
    const channels = ws.frames.map((frame) => JSON.parse(frame).channel)
    expect(channels.filter((channel) => channel === 'l2Book')).toHaveLength(3)
    expect(channels).not.toContain('error')
  })

  test('a fast book has five levels a side', () => {
    const ws = transport.connect('/ws') as MemorySocket
    const subscription = { type: 'l2Book', coin: 'BTC', fast: true }
    ws.send(JSON.stringify({ method: 'subscribe', subscription }))
    const { data } = JSON.parse(ws.frames.at(-1) ?? '')
    expect([data.fast, ...data.levels.map((side: unknown[]) => side.length)]).toEqual([true, 5, 5])
  })

  test('funding is pushed when it is paid, and every payment once', async () => {
    const { registry, sandbox } = await recordedRegistry({ profile: 'raw', metering: 'off' })
    const { connect, request } = memoryTransport(registry)
    const { openPositions } = sandbox.world.cast(sandbox.facts().moment) as {
      openPositions: { address: string }[]
    }
    const users = [...new Set(openPositions.map(({ address }) => address))].slice(0, 5)
    const ws = connect('/ws') as MemorySocket
    for (const user of users)
      ws.send(JSON.stringify({ method: 'subscribe', subscription: { type: 'userFundings', user } }))
    const { atMs, shiftMs } = sandbox.facts().moment
    const startTime = atMs + shiftMs + 1
    for (let step = 0; step < 124; step++) {
      await sandbox.clock.advance(30_000)
      ws.send('{"method":"ping"}')
    }
    const frames = ws.frames
      .map((frame) => JSON.parse(frame))
      .filter(({ channel }) => channel === 'userFundings')
    const paid = (user: string) =>
      JSON.parse(
        request('POST', '/info', JSON.stringify({ type: 'userFunding', user, startTime })).body,
      ).map(({ time, delta }: { time: number; delta: { usdc: string } }) => [time, delta.usdc])
    const pushed = (user: string) =>
      frames
        .filter(({ data }) => data.user === user && !data.isSnapshot)
        .flatMap(({ data }) => data.fundings)
        .map(({ time, usdc }: { time: number; usdc: string }) => [time, usdc])
    for (const user of users) expect(pushed(user)).toEqual(paid(user))
    expect(users.flatMap(pushed).length).toBeGreaterThan(0)
    registry.close()
  })

  test('the id of a request is returned digit by digit', () => {
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

  test('an interval without trades is a flat candle at the last price', async () => {
    const [{ registry }, { registry: service }] = await Promise.all([
      recordedRegistry({ profile: 'raw', metering: 'off' }),
      recordedRegistry(),
    ])
    const answerOf = (path: string, in_: typeof registry, req: object) =>
      JSON.parse(
        memoryTransport(in_).request('POST', path, JSON.stringify({ type: 'candleSnapshot', req }))
          .body,
      )
    const { universe } = JSON.parse(
      memoryTransport(registry).request('POST', '/info', '{"type":"meta"}').body,
    ) as { universe: { name: string }[] }
    let quiet = 0
    for (const { name: coin } of universe) {
      const req = { coin, interval: '1m', startTime: 0 }
      const flat: Kline[] = answerOf('/info', registry, req)
      const sparse: Kline[] = answerOf(`/api/upgrade/v2/hl/info?${signed()}`, service, req).data
      expect(flat.length).toBeLessThanOrEqual(5_000)
      const traded = flat.filter(({ n }) => n > 0)
      expect(traded).toEqual(sparse.slice(-traded.length || sparse.length))
      for (const [at, one] of flat.entries()) {
        const before = flat[at - 1]
        if (before) expect(one.t - before.t).toBe(60_000)
        if (one.n > 0 || !before) continue
        const { o, h, l, c, v } = one
        expect([o, h, l, c, v]).toEqual([before.c, before.c, before.c, before.c, '0.0'])
        quiet++
      }
    }
    expect(quiet).toBeGreaterThan(0)
    registry.close()
    service.close()
  })

  test('candles have exactly the intervals of the venue', () => {
    const VENUE = '1m 3m 5m 15m 30m 1h 2h 4h 8h 12h 1d 3d 1w 1M'.split(' ')
    for (const interval of [...VENUE, '1s', '5s']) {
      const ws = transport.connect('/ws') as MemorySocket
      const subscription = { type: 'candle', coin: 'BTC', interval }
      ws.send(JSON.stringify({ method: 'subscribe', subscription }))
      const frames = ws.frames.map((frame) => JSON.parse(frame))
      const isKnown = VENUE.includes(interval)
      expect([interval, frames[0]?.channel]).toEqual([
        interval,
        isKnown ? 'subscriptionResponse' : 'error',
      ])
      if (isKnown) expect(frames[1]).toMatchObject({ channel: 'candle', data: { i: interval } })
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
