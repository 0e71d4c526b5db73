import { expect, test } from 'bun:test'
import { bbo } from '../../src/contract/channels/bbo.ts'
import { l2Book } from '../../src/contract/channels/l2-book.ts'
import { trades } from '../../src/contract/channels/trades.ts'
import { shownValue } from '../../src/contract/shown-value.ts'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { fakeRegistry, START_MS, signed } from '../fixtures/fake-market.ts'
import {
  openSocket,
  PREFIX,
  receivedFrames,
  sendJson,
  subscribeFrame,
} from '../fixtures/memory-socket.ts'

const timeOf = (data: { time: number } | { time: number }[]) =>
  Array.isArray(data) ? data[0]?.time : data.time

test('a silent stream repeats its last snapshot, and marks it once it has expired', async () => {
  const { socket, sandbox, advance } = await openSocket()
  sendJson(socket, subscribeFrame({ type: 'l2Book', coin: 'BTC' }))
  await advance(1_000)
  receivedFrames(socket)
  sandbox.playhead.set(sandbox.clock.nowMs(), { speed: 0 })
  sandbox.player.reposition()
  await advance(5_000)
  const [repeated] = receivedFrames(socket)
  expect(repeated.data.time).toBe(START_MS + 1_000)
  expect(repeated.data.stale).toBeUndefined()
  await advance(5_000)
  expect(receivedFrames(socket)[0].data).toMatchObject({ time: START_MS + 1_000, stale: true })
  sandbox.playhead.set(sandbox.clock.nowMs(), { speed: 1 })
  sandbox.player.reposition()
  await advance(1_000)
  expect(receivedFrames(socket)[0].data.stale).toBeUndefined()
})

test('candles are at least half a second apart', async () => {
  const { socket, sandbox, advance } = await openSocket('/ws', { speed: 100 })
  sendJson(socket, subscribeFrame({ type: 'candle', coin: 'BTC', interval: '1m' }))
  receivedFrames(socket)
  const times: number[] = []
  for (let i = 0; i < 120; i++) {
    await advance(10)
    for (const _ of receivedFrames(socket)) times.push(sandbox.clock.nowMs())
  }
  expect(times.length).toBeGreaterThan(1)
  for (const [i, time] of times.entries())
    if (i > 0) expect(time - (times[i - 1] as number)).toBeGreaterThanOrEqual(500)
})

test('a late subscription begins with the present state', async () => {
  const { registry, socket, advance } = await openSocket()
  sendJson(socket, subscribeFrame({ type: 'bbo', coin: 'BTC' }))
  await advance(3_500)
  const late = memoryTransport(registry).connect(`${PREFIX}/ws?${signed()}`) as MemorySocket
  sendJson(late, subscribeFrame({ type: 'bbo', coin: 'BTC' }))
  expect(receivedFrames(late)[1].data.time).toBe(START_MS + 3_000)
  receivedFrames(socket)
  sendJson(late, { method: 'unsubscribe', subscription: { type: 'bbo', coin: 'BTC' } })
  receivedFrames(late)
  await advance(1_000)
  expect([receivedFrames(socket).length, receivedFrames(late).length]).toEqual([1, 0])
})

test('one step of 50 s is the same as fifty of 1 s', async () => {
  const run = async (steps: number[]) => {
    const { socket, advance } = await openSocket()
    for (const type of ['l2Book', 'bbo', 'trades'])
      sendJson(socket, subscribeFrame({ type, coin: 'BTC' }))
    sendJson(socket, subscribeFrame({ type: 'candle', coin: 'BTC', interval: '1m' }))
    for (const step of steps) await advance(step)
    return socket.frames
  }
  expect(await run([50_000])).toEqual(await run(Array(50).fill(1_000)))
})

test('a loop restarts with times that continue', async () => {
  const { socket, advance } = await openSocket('/ws', { end: 'loop' })
  sendJson(socket, subscribeFrame({ type: 'bbo', coin: 'BTC' }))
  await advance(30_000)
  sendJson(socket, { method: 'ping' })
  await advance(32_000)
  const times = receivedFrames(socket).flatMap(({ channel, data }) =>
    channel === 'bbo' ? [data.time] : [],
  )
  expect(times.at(-1)).toBe(START_MS + 62_000)
  expect(times).toEqual([...times].sort((a, b) => a - b))
})

test('each lap is the first one, at other times and with other ids', async () => {
  const { socket, sandbox, advance } = await openSocket('/ws', { end: 'loop' })
  const channels = [l2Book, bbo, trades]
  for (const { id } of channels) sendJson(socket, subscribeFrame({ type: id, coin: 'BTC' }))
  const { lapMs } = sandbox.playhead
  const playLap = async () => {
    const texts: string[] = []
    for (const ms of [lapMs / 2, lapMs / 2]) {
      await advance(ms)
      sendJson(socket, { method: 'ping' })
      texts.push(...socket.frames.splice(0))
    }
    return texts.filter((text) => !/pong|subscriptionResponse/.test(text))
  }
  // The first one began with its own snapshots.
  await playLap()
  const first = await playLap()
  for (const later of [1, 2, 3]) {
    const expected = first.map((text) => {
      const { channel, data } = JSON.parse(text)
      const schema = channels.find(({ id }) => id === channel)?.data
      const as = { shiftMs: later * lapMs, lap: later }
      return JSON.stringify({ channel, data: shownValue(schema, data, as) })
    })
    expect(await playLap()).toEqual(expected)
  }
})

test('a lap is recorded, and every stream sends a snapshot at its start', async () => {
  const { socket, sandbox, advance } = await openSocket('/ws', { end: 'loop' })
  for (const type of ['bbo', 'trades']) sendJson(socket, subscribeFrame({ type, coin: 'BTC' }))
  await advance(30_000)
  sendJson(socket, { method: 'ping' })
  await advance(30_500)
  receivedFrames(socket)
  await advance(1_500)
  expect(receivedFrames(socket).map(({ channel, data }) => [channel, timeOf(data)])).toEqual([
    ['bbo', START_MS + 61_000],
    ['trades', START_MS + 61_000],
    ['bbo', START_MS + 62_000],
  ])
  const laps = [...sandbox.journal.after(0)].filter(({ kind }) => kind === 'playhead')
  expect(laps).toMatchObject([{ event: 'lap', tapeMs: START_MS, sessionMs: START_MS + 62_000 }])
})

test('a lap is recorded also without subscribers', async () => {
  const { sandbox, advance } = await openSocket('/ws', { end: 'loop' })
  await advance(185_000)
  const laps = [...sandbox.journal.after(0)].filter(({ kind }) => kind === 'playhead')
  expect(laps.map(({ sessionMs }) => sessionMs - START_MS)).toEqual([61_000, 122_000, 183_000])
})

test('sandboxes do not affect each other, and a dropped one closes its connections', async () => {
  const registry = await fakeRegistry({ epoch: 'tape' })
  const other = await registry.create({ name: 'other' })
  const { accessKey, secretKey } = other.keys.full
  const mine = memoryTransport(registry).connect(`${PREFIX}/ws?${signed()}`) as MemorySocket
  const theirs = memoryTransport(registry).connect(
    `${PREFIX}/ws?${signed(accessKey, 0, secretKey)}`,
  ) as MemorySocket
  for (const socket of [mine, theirs])
    sendJson(socket, subscribeFrame({ type: 'bbo', coin: 'BTC' }))
  receivedFrames(mine)
  await other.clock.advance(5_000)
  expect(mine.frames).toEqual([])
  expect(theirs.frames.length).toBe(7)
  registry.drop('other')
  expect([theirs.closeCode, mine.closeCode]).toEqual([1000, null])
})

test('at max everything is pushed, in order, and nothing is lost', async () => {
  const { socket, sandbox } = await openSocket('/ws', { end: 'hold', speed: 0 })
  sendJson(socket, subscribeFrame({ type: 'bbo', coin: 'BTC' }))
  receivedFrames(socket)
  sandbox.playhead.set(sandbox.clock.nowMs(), { speed: 'max' })
  sandbox.player.reposition()
  while (sandbox.position().atMs < START_MS + 60_000)
    await new Promise((resume) => setImmediate(resume))
  const times = receivedFrames(socket).map(({ data }) => (data.time - START_MS) / 1000)
  expect(times).toEqual(Array.from({ length: 60 }, (_, second) => second + 1))
})

test('a seek continues from the new position', async () => {
  const { socket, sandbox, advance } = await openSocket()
  sendJson(socket, subscribeFrame({ type: 'bbo', coin: 'BTC' }))
  await advance(2_000)
  receivedFrames(socket)
  sandbox.playhead.set(sandbox.clock.nowMs(), { atMs: 40_000 })
  sandbox.player.reposition()
  await advance(1_000)
  expect(receivedFrames(socket).map(({ data }) => data.time)).toEqual([START_MS + 41_000])
})
