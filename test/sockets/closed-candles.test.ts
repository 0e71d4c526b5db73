/** Each candle is pushed in its final form, whatever the times of its trades. */
import { expect, test } from 'bun:test'
import type { TakerCandle } from '../../src/contract/records/candle.ts'
import { readSpan } from '../../src/contract/span.ts'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'
import { PREFIX, receivedFrames, sendJson, subscribeFrame } from '../fixtures/memory-socket.ts'

const LENGTH_MS = 150_000
const candlesOf = (socket: MemorySocket): TakerCandle[] =>
  receivedFrames(socket).flatMap(({ channel, data }) => (channel === 'candle' ? [data] : []))

const INTERVALS = ['1s', '5s', '15s', '1m']

test('every candle with a trade is pushed in its final form, and in order', async () => {
  const { registry, sandbox, cast } = await recordedRegistry({ epoch: 'tape' })
  const coins = cast().coins.slice(0, 6)
  const subscriptions = coins.flatMap((coin) => INTERVALS.map((interval) => ({ coin, interval })))
  const socket = memoryTransport(registry).connect(`${PREFIX}/ws?${signed()}`) as MemorySocket
  for (const one of subscriptions) sendJson(socket, subscribeFrame({ type: 'candle', ...one }))
  const startMs = sandbox.clock.nowMs()
  const pushed: TakerCandle[] = []
  for (let ms = 0; ms < LENGTH_MS; ms += 250) {
    await sandbox.clock.advance(250)
    pushed.push(...candlesOf(socket))
    if (ms % 20_000 === 0) sendJson(socket, { method: 'ping' })
  }
  const facts = sandbox.facts()
  for (const { coin, interval } of subscriptions) {
    const mine = pushed.filter(({ s, i }) => s === coin && i === interval)
    const lengthMs = readSpan(interval) as number
    for (let t = startMs; t + lengthMs + 1000 < startMs + LENGTH_MS; t += lengthMs) {
      const final = facts.candles.at(coin, interval, t)
      const last = mine.filter((one) => one.t === t).at(-1)
      expect([coin, interval, t, last ?? null]).toEqual([coin, interval, t, final])
    }
    const times = mine.map(({ t }) => t)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  }
})

test('a market that is played too fast for each candle causes no lag', async () => {
  const { registry, sandbox } = await recordedRegistry({ epoch: 'tape', speed: 30 })
  const socket = memoryTransport(registry).connect(`${PREFIX}/ws?${signed()}`) as MemorySocket
  sendJson(socket, subscribeFrame({ type: 'candle', coin: 'BTC', interval: '1s' }))
  await sandbox.clock.advance(20_000)
  const times = candlesOf(socket).map(({ t }) => t)
  expect(times.length).toBeGreaterThan(20)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  const { t: newest = 0 } = sandbox.facts().candles.last('BTC', '1s') ?? {}
  expect(newest - Math.max(...times)).toBeLessThan(60_000)
})
