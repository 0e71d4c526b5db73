/** The effects of scenarios of sockets on a client. */
import { expect, test } from 'bun:test'
import { hubOf } from '../../../src/sandbox/session/subscription-hub.ts'
import { type Frame, marketWithScenario, receivedFrames } from './scenario-market.ts'

const BOOK = { type: 'l2Book', coin: 'BTC' }
const TRADES = { type: 'trades', coin: 'BTC' }

test('scenario stale-book: trades continue, the book keeps its time and is marked', async () => {
  const { socket, advance } = await marketWithScenario('stale-book')
  const client = socket(BOOK, TRADES)
  await advance(5_000)
  receivedFrames(client)
  await advance(8_000)
  const frozen = receivedFrames(client)
  const times = frozen.filter(({ channel }) => channel === 'l2Book').map(({ data }) => data.time)
  expect([times.length > 3, new Set(times).size]).toEqual([true, 1])
  expect(frozen.some(({ channel }) => channel === 'trades')).toBe(true)
  await advance(10_000)
  expect(receivedFrames(client, 'l2Book').at(-1)?.data.stale).toBe(true)
})

test('scenario silent-feed: nothing but pongs', async () => {
  const { socket, advance } = await marketWithScenario('silent-feed')
  const client = socket(BOOK, TRADES)
  await advance(5_000)
  receivedFrames(client)
  await advance(30_000)
  client.send('{"method":"ping"}')
  expect(receivedFrames(client)).toEqual([{ channel: 'pong' } as Frame])
  expect(client.closeCode).toBeNull()
})

test('scenario flaky-sockets: lost every half minute', async () => {
  const { socket, advance } = await marketWithScenario('flaky-sockets')
  for (let turn = 0; turn < 3; turn++) {
    const client = socket(BOOK)
    await advance(29_999)
    expect(client.closeCode).toBeNull()
    await advance(1)
    expect(client.closeCode).toBe(1006)
  }
})

test('scenario reconnect-storm: closed at once, and most are refused for a while', async () => {
  const { socket, open, advance } = await marketWithScenario('reconnect-storm')
  const clients = [socket(BOOK), socket(BOOK), socket(TRADES)]
  await advance(10_000)
  expect(clients.map(({ closeCode }) => closeCode)).toEqual([1012, 1012, 1012])
  const tries = Array.from({ length: 60 }, () => 'frames' in open())
  const inside = tries.filter(Boolean).length
  expect([inside > 3, inside < 25]).toEqual([true, true])
  await advance(30_000)
  expect(Array.from({ length: 20 }, () => 'frames' in open())).not.toContain(false)
})

test('scenario repeated-fills: each twice, and pairs in the wrong order', async () => {
  const { socket, advance } = await marketWithScenario('repeated-fills')
  const client = socket(TRADES)
  receivedFrames(client)
  await advance(20_000)
  const tids = receivedFrames(client, 'trades').map(({ data }) => data[0].tid)
  const counts = Map.groupBy(tids, (tid) => tid)
  expect(new Set([...counts.values()].map((same) => same.length))).toEqual(new Set([2]))
  const steps = tids.slice(1).map((tid, at) => tid - tids[at])
  expect(steps.some((step) => step < 0)).toBe(true)
})

test('scenario reused-address: an address of 40 seconds ago is never accepted again', async () => {
  const { transport, sign, socket, open, advance } = await marketWithScenario('reused-address')
  const address = `/api/upgrade/v2/hl/ws?${sign('full', 0)}`
  expect('frames' in transport.connect(address)).toBe(true)
  expect(transport.connect(address)).toMatchObject({ status: 401 })
  const held = socket(BOOK)
  await advance(40_000)
  expect(held.closeCode).toBe(1006)
  expect(transport.connect(address)).toMatchObject({ status: 401 })
  expect(Array.from({ length: 7 }, () => 'frames' in open())).not.toContain(false)
})

test('scenario snapshot-again: closed in good order, and the snapshot repeats', async () => {
  const { socket, advance, cast } = await marketWithScenario('snapshot-again')
  const user = cast().addresses.scalper
  const first = socket({ type: 'userFills', user })
  const before = receivedFrames(first, 'userFills')[0]?.data.fills
  await advance(20_000)
  expect(first.closeCode).toBe(1000)
  const again = receivedFrames(socket({ type: 'userFills', user }), 'userFills')[0]?.data.fills
  const known = new Set(before.map(({ tid }: { tid: number }) => tid))
  expect(again.some(({ tid }: { tid: number }) => known.has(tid))).toBe(true)
})

test('scenario already-subscribed: acknowledgements are lost, later pongs', async () => {
  const { socket, advance } = await marketWithScenario('already-subscribed')
  const client = socket(BOOK, { ...BOOK, coin: 'ETH' }, { ...BOOK, coin: 'SOL' })
  const acknowledgements = receivedFrames(client).filter(
    ({ channel }) => channel === 'subscriptionResponse',
  )
  expect(acknowledgements).toHaveLength(2)
  client.send('{"method":"ping"}')
  expect(receivedFrames(client, 'pong')).toHaveLength(1)
  await advance(30_000)
  client.send('{"method":"ping"}')
  await advance(30_000)
  receivedFrames(client)
  client.send('{"method":"ping"}')
  expect(receivedFrames(client, 'pong')).toHaveLength(0)
})

test('scenario refused-subscription: an error frame, and no subscription', async () => {
  const { socket, open, advance, sandbox, cast } = await marketWithScenario('refused-subscription')
  const client = socket(BOOK)
  await advance(20_000)
  const frames = receivedFrames(client)
  expect(frames.map(({ channel }) => channel)).toEqual(['error'])
  expect(JSON.stringify(frames[0]?.data)).toContain('l2Book')
  const fills = open('/hl/ws/fills')
  if (!('frames' in fills)) throw new Error('no socket')
  fills.send(JSON.stringify({ type: 'subscribe', address: [cast().addresses.scalper] }))
  expect(fills.frames).toHaveLength(1)
  expect(hubOf(sandbox).subscriptionCount).toBe(0)
  sandbox.faultInjection.remove()
  client.send(JSON.stringify({ method: 'subscribe', subscription: BOOK }))
  expect(receivedFrames(client, 'l2Book')).toHaveLength(1)
})

test('scenario crossed-book: the bid is above the ask, then there is nothing', async () => {
  const { socket, advance } = await marketWithScenario('crossed-book')
  const client = socket(BOOK)
  await advance(5_000)
  receivedFrames(client)
  await advance(8_000)
  const crossed = receivedFrames(client, 'l2Book').at(-1)?.data.levels
  expect(Number(crossed[0][0].px)).toBeGreaterThan(Number(crossed[1][0].px))
  await advance(8_000)
  expect(receivedFrames(client, 'l2Book').at(-1)?.data.levels).toEqual([[], []])
})

test('scenario broken-feed: gaps, bursts and times that are set back', async () => {
  const { socket, advance, sandbox } = await marketWithScenario('broken-feed')
  const [client, trades] = [socket(BOOK), socket(TRADES)]
  receivedFrames(client)
  await advance(30_000)
  const lost = [...sandbox.journal.after(0)].filter(({ rule }) => rule === 'lost').length
  const got = receivedFrames(trades, 'trades').length
  expect([lost > 3, Math.floor((got + lost) / 7)]).toEqual([true, lost])
  const times = receivedFrames(client, 'l2Book').map(({ data }) => data.time as number)
  const steps = times.slice(1).map((time, at) => time - (times[at] as number))
  expect(Math.min(...steps)).toBeLessThan(-1_000)
})

test('scenario slow-consumer: frames queue and are discarded, and `stat` shows it', async () => {
  const { open, cast, advance, sandbox } = await marketWithScenario('slow-consumer', { speed: 50 })
  const client = open('/hl/ws/fills')
  if (!('frames' in client)) throw new Error('no socket')
  const addresses = [...new Set(cast().openPositions.map(({ address }) => address))]
  client.send(JSON.stringify({ type: 'subscribe', address: addresses }))
  await advance(5_000)
  receivedFrames(client)
  await advance(20_000)
  expect(receivedFrames(client)).toEqual([])
  client.send('{"type":"stat"}')
  const [stat, ...more] = receivedFrames(client)
  expect(more).toEqual([])
  expect([stat?.type, stat?.data.queueLen]).toEqual(['stat', 50])
  expect(stat?.data.discardedCount).toBeGreaterThan(0)
  await advance(40_000)
  expect(receivedFrames(client).length).toBeGreaterThanOrEqual(50)
  const entries = [...sandbox.journal.after(0)].filter(({ rule }) => rule === 'nothing is read')
  expect(entries.map((entry) => 'subject' in entry && entry.subject)).toEqual([
    'nothing is read',
    'it is read again',
  ])
})
