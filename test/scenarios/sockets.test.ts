/** What the scenarios of sockets do to a client. */
import { expect, test } from 'bun:test'
import { type Frame, heard, played } from './played.ts'

const BOOK = { type: 'l2Book', coin: 'BTC' }
const TRADES = { type: 'trades', coin: 'BTC' }

test('scenario stale-book: trades go on, the book keeps its time and is marked', async () => {
  const { socket, advance } = await played('stale-book')
  const client = socket(BOOK, TRADES)
  await advance(5_000)
  heard(client)
  await advance(8_000)
  const frozen = heard(client)
  const times = frozen.filter(({ channel }) => channel === 'l2Book').map(({ data }) => data.time)
  expect([times.length > 3, new Set(times).size]).toEqual([true, 1])
  expect(frozen.some(({ channel }) => channel === 'trades')).toBe(true)
  await advance(10_000)
  expect(heard(client, 'l2Book').at(-1)?.data.stale).toBe(true)
})

test('scenario silent-feed: nothing but pongs', async () => {
  const { socket, advance } = await played('silent-feed')
  const client = socket(BOOK, TRADES)
  await advance(5_000)
  heard(client)
  await advance(30_000)
  client.send('{"method":"ping"}')
  expect(heard(client)).toEqual([{ channel: 'pong' } as Frame])
  expect(client.closeCode).toBeNull()
})

test('scenario flaky-sockets: lost every half minute', async () => {
  const { socket, advance } = await played('flaky-sockets')
  for (let turn = 0; turn < 3; turn++) {
    const client = socket(BOOK)
    await advance(29_999)
    expect(client.closeCode).toBeNull()
    await advance(1)
    expect(client.closeCode).toBe(1006)
  }
})

test('scenario reconnect-storm: closed at once, and most are turned away for a while', async () => {
  const { socket, open, advance } = await played('reconnect-storm')
  const clients = [socket(BOOK), socket(BOOK), socket(TRADES)]
  await advance(10_000)
  expect(clients.map(({ closeCode }) => closeCode)).toEqual([1012, 1012, 1012])
  const tries = Array.from({ length: 60 }, () => 'frames' in open())
  const inside = tries.filter(Boolean).length
  expect([inside > 3, inside < 25]).toEqual([true, true])
  await advance(30_000)
  expect(Array.from({ length: 20 }, () => 'frames' in open())).not.toContain(false)
})

test('scenario market-halt: one coin is silent, others are not', async () => {
  const { socket, advance } = await played('market-halt')
  const client = socket(TRADES, { type: 'trades', coin: 'ETH' })
  await advance(10_000)
  heard(client)
  client.send('{"method":"ping"}')
  await advance(59_000)
  const coins = new Set(heard(client, 'trades').map(({ data }) => data[0].coin))
  expect([...coins]).toEqual(['ETH'])
  client.send('{"method":"ping"}')
  await advance(30_000)
  expect(heard(client, 'trades').map(({ data }) => data[0].coin)).toContain('BTC')
})

test('scenario repeated-fills: each twice, and pairs the wrong way round', async () => {
  const { socket, advance } = await played('repeated-fills')
  const client = socket(TRADES)
  heard(client)
  await advance(20_000)
  const tids = heard(client, 'trades').map(({ data }) => data[0].tid)
  const counts = Map.groupBy(tids, (tid) => tid)
  expect(new Set([...counts.values()].map((same) => same.length))).toEqual(new Set([2]))
})

test('scenario reused-address: an address of 40 seconds ago never gets in again', async () => {
  const { registry, socket, advance } = await played('reused-address')
  const { memory } = await import('../../src/transport/memory/memory.ts')
  const { signed } = await import('../toy-market.ts')
  const address = `/api/upgrade/v2/hl/ws?${signed('demo')}`
  const door = memory(registry)
  expect('frames' in door.connect(address)).toBe(true)
  const held = socket(BOOK)
  await advance(40_000)
  expect(held.closeCode).toBe(1006)
  expect(door.connect(address)).toMatchObject({ status: 401 })
  expect('frames' in door.connect(`/api/upgrade/v2/hl/ws?${signed('demo', -1)}`)).toBe(true)
})

test('scenario snapshot-again: closed in good order, and the snapshot repeats', async () => {
  const { socket, advance, cast } = await played('snapshot-again')
  const user = cast().addresses.scalper
  const first = socket({ type: 'userFills', user })
  const before = heard(first, 'userFills')[0]?.data.fills
  await advance(20_000)
  expect(first.closeCode).toBe(1000)
  const again = heard(socket({ type: 'userFills', user }), 'userFills')[0]?.data.fills
  const known = new Set(before.map(({ tid }: { tid: number }) => tid))
  expect(again.some(({ tid }: { tid: number }) => known.has(tid))).toBe(true)
})

test('scenario already-subscribed: acknowledgements are lost, later pongs', async () => {
  const { socket, advance } = await played('already-subscribed')
  const client = socket(BOOK, { ...BOOK, coin: 'ETH' }, { ...BOOK, coin: 'SOL' })
  const told = heard(client).filter(({ channel }) => channel === 'subscriptionResponse')
  expect(told).toHaveLength(2)
  client.send('{"method":"ping"}')
  expect(heard(client, 'pong')).toHaveLength(1)
  await advance(30_000)
  client.send('{"method":"ping"}')
  await advance(30_000)
  heard(client)
  client.send('{"method":"ping"}')
  expect(heard(client, 'pong')).toHaveLength(0)
})

test('scenario refused-subscription: no word and no data', async () => {
  const { socket, advance } = await played('refused-subscription')
  const client = socket(BOOK)
  await advance(20_000)
  expect(heard(client)).toEqual([])
  client.send('{"method":"subscribe","subscription":{"type":"allMids"}}')
  expect(heard(client)[0]?.channel).toBe('error')
})

test('scenario crossed-book: the bid is above the ask, then there is nothing', async () => {
  const { socket, advance } = await played('crossed-book')
  const client = socket(BOOK)
  await advance(5_000)
  heard(client)
  await advance(8_000)
  const crossed = heard(client, 'l2Book').at(-1)?.data.levels
  expect(Number(crossed[0][0].px)).toBeGreaterThan(Number(crossed[1][0].px))
  await advance(8_000)
  expect(heard(client, 'l2Book').at(-1)?.data.levels).toEqual([[], []])
})

test('scenario broken-feed: gaps, bursts and times that go back', async () => {
  const { socket, advance } = await played('broken-feed')
  const client = socket(BOOK)
  heard(client)
  await advance(30_000)
  const times = heard(client, 'l2Book').map(({ data }) => data.time as number)
  const steps = times.slice(1).map((time, at) => time - (times[at] as number))
  expect(Math.min(...steps)).toBeLessThan(-1_000)
})

test('scenario slow-consumer: frames queue, and the count is true', async () => {
  const { open, cast, advance } = await played('slow-consumer', { speed: 50 })
  const client = open('/hl/ws/fills')
  if (!('frames' in client)) throw new Error('no socket')
  const everybody = [...new Set(cast().openPositions.map(({ address }) => address))]
  client.send(JSON.stringify({ type: 'subscribe', address: everybody }))
  await advance(5_000)
  heard(client)
  await advance(10_000)
  expect(heard(client)).toEqual([])
  client.send('{"type":"stat"}')
  await advance(60_000)
  client.send('{"type":"ping"}')
  const stat = heard(client).find(({ type }) => type === 'stat')
  expect(stat?.data.queueLen).toBeGreaterThan(10)
})
