/** REST and sockets agree, in every run. */
import { expect, test } from 'bun:test'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'

const PREFIX = '/api/upgrade/v2'

/** Signed for the next second: no step of a clock within this one makes it too old. */
const now = () => signed('demo', -1)

async function market(options = {}) {
  const { registry, sandbox, cast } = await recordedRegistry({ epoch: 'tape', ...options })
  const transport = memoryTransport(registry)
  const get = (path: string) =>
    transport.request('GET', `${PREFIX}${path}${path.includes('?') ? '&' : '?'}${now()}`).body
  const info = (body: object) =>
    transport.request('POST', `${PREFIX}/hl/info?${now()}`, JSON.stringify(body)).body
  const connect = (path: string) =>
    transport.connect(`${PREFIX}/hl${path}?${now()}`) as MemorySocket
  return { sandbox, cast, get, info, connect }
}

const subscribe = (subscription: object) => JSON.stringify({ method: 'subscribe', subscription })

type Level = { px: string; sz: string }

test('the last book of a socket, l2Book and latest-depth agree at any instant', async () => {
  const { sandbox, get, info, connect } = await market()
  const coins = { BTC: 'btcswapusdc:hl', ETH: 'ethswapusdc:hl', 'PURR/USDC': 'purrusdc:hl' }
  for (const [coin, dbKey] of Object.entries(coins)) {
    const socket = connect('/ws')
    socket.send(subscribe({ type: 'l2Book', coin }))
    for (const step of [0, 1, 777, 12_345, 33_333]) {
      await sandbox.clock.advance(step)
      const books = socket.frames.filter((frame) => frame.startsWith('{"channel":"l2Book"'))
      const { stale: _, ...last } = JSON.parse(books.at(-1) ?? '').data
      expect(last).toEqual(JSON.parse(info({ type: 'l2Book', coin })).data)
      const depth = JSON.parse(get(`/futures/latest-depth?dbKey=${dbKey}&size=20`)).data
      const plain = (side: Level[]) => side.map(({ px, sz }) => [Number(px), Number(sz)])
      const numbers = (side: string[][]) => side.map((level) => level.map(Number))
      expect(numbers(depth.bids)).toEqual(plain(last.levels[0]))
      expect(numbers(depth.asks)).toEqual(plain(last.levels[1]))
    }
    socket.close()
  }
})

test('the same script on two sandboxes gives the same bytes', async () => {
  const script = async () => {
    const { sandbox, cast, get, info, connect } = await market()
    const [open] = cast().openPositions
    const user = open?.address ?? ''
    const node = connect('/ws')
    for (const type of ['l2Book', 'bbo', 'trades']) node.send(subscribe({ type, coin: 'BTC' }))
    node.send(subscribe({ type: 'candle', coin: 'BTC', interval: '1m' }))
    for (const type of ['userFills', 'openOrders', 'clearinghouseState'])
      node.send(subscribe({ type, user }))
    await sandbox.clock.advance(50_000)
    const answers = [
      get('/hl/tickers'),
      get('/coin'),
      get(`/hl/fills/${user}`),
      get(`/hl/orders/${user}/latest`),
      info({ type: 'clearinghouseState', user }),
      info({ type: 'meta' }),
    ]
    return [...node.frames, ...answers]
  }
  expect(await script()).toEqual(await script())
})

test('one step of 50 s gives the same bytes as fifty of 1 s, on every channel', async () => {
  const run = async (steps: number[]) => {
    const { sandbox, cast, get, connect } = await market()
    const { addresses, openPositions } = cast()
    const user = openPositions[0]?.address ?? ''
    const node = connect('/ws')
    for (const type of ['l2Book', 'bbo', 'trades']) node.send(subscribe({ type, coin: 'ETH' }))
    node.send(subscribe({ type: 'candle', coin: 'ETH', interval: '15s' }))
    for (const type of ['userFills', 'openOrders', 'userNonFundingLedgerUpdates'])
      node.send(subscribe({ type, user }))
    node.send(subscribe({ type: 'clearinghouseState', user }))
    const whales: { user: string }[] = JSON.parse(get('/hl/whales/open-positions?take=100')).data
    const holders = [...whales.map((one) => one.user), ...openPositions.map((one) => one.address)]
    const address = [...new Set([...Object.values(addresses), ...holders])].slice(0, 100)
    const subscription = JSON.stringify({ type: 'subscribe', address })
    const others = ['/ws/fills', '/ws/filled-orders', '/ws/clearinghouse-state'].map(connect)
    for (const socket of others) socket.send(subscription)
    for (const step of steps) await sandbox.clock.advance(step)
    return [node, ...others].map(({ frames }) => frames)
  }
  const [atOnce, inSteps] = [await run([50_000]), await run(Array(50).fill(1_000))]
  for (const frames of atOnce) expect(frames.length).toBeGreaterThan(10)
  expect(inSteps).toEqual(atOnce)
})

test('a live epoch shows the same market, shifted', async () => {
  const times = async (epoch: string) => {
    const { sandbox, info } = await market({ epoch, now: 1_800_000_000_000 })
    const { atMs, shiftMs } = sandbox.position()
    const { time } = JSON.parse(info({ type: 'l2Book', coin: 'BTC' })).data
    const fromMs = atMs + shiftMs - 3_600_000
    const req = { coin: 'BTC', interval: '15m', startTime: fromMs }
    const candles = JSON.parse(info({ type: 'candleSnapshot', req })).data as { t: number }[]
    for (const { t } of candles) expect(t % 900_000).toBe(0)
    expect(candles[0]?.t).toBe(Math.floor(fromMs / 900_000) * 900_000)
    return time
  }
  const [live, tape] = [await times('live'), await times('tape')]
  expect(live - tape).toBe(Math.floor((1_800_000_000_000 - 1_768_478_400_000) / 1000) * 1000)
})

test('candles keep their minimum gap, and each is pushed in its final form', async () => {
  const { sandbox, info, connect } = await market()
  const socket = connect('/ws')
  socket.send(subscribe({ type: 'candle', coin: 'BTC', interval: '1m' }))
  socket.frames.splice(0)
  const pushed = new Map<number, Record<string, unknown>>()
  let lastMs = Number.NEGATIVE_INFINITY
  for (let tenths = 0; tenths < 1_850; tenths++) {
    await sandbox.clock.advance(100)
    if (tenths % 200 === 0) socket.send('{"method":"ping"}')
    for (const frame of socket.frames.splice(0)) {
      const { channel, data } = JSON.parse(frame)
      if (channel !== 'candle') continue
      expect(sandbox.clock.nowMs() - lastMs).toBeGreaterThanOrEqual(500)
      lastMs = sandbox.clock.nowMs()
      pushed.set(data.t, data)
    }
  }
  const [startTime] = pushed.keys()
  const req = { coin: 'BTC', interval: '1m', startTime }
  const candles = JSON.parse(info({ type: 'candleSnapshot', req })).data
  const closed = candles.slice(0, -1)
  expect(closed.length).toBeGreaterThanOrEqual(3)
  for (const candle of closed) expect(pushed.get(candle.t)).toMatchObject(candle)
})
