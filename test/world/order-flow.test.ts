/** Taker flow, k-lines and summaries of books, recomputed from bars, trades and books. */

import { expect, test } from 'bun:test'
import { tapeMs } from '../../src/clock/instant.ts'
import { runToEnd } from '../../src/clock/turns.ts'
import { DEFAULT_ANSWERS } from '../../src/contract/questions.ts'
import type { TakerKline as Kline } from '../../src/contract/records/order-flow.ts'
import { parse } from '../../src/decimal/quantity.ts'
import type { InstrumentRow } from '../../src/market/schema/schema.ts'
import { factsOf } from '../../src/market/world/facts.ts'
import { smallWorld } from '../fixtures/small-world.ts'
import { tradedBetween } from '../fixtures/traded-reference.ts'

const world = await smallWorld()
/** Not a whole number of hours or days. */
const SHIFT_MS = 30_000_007_000
const MOMENTS = [0, 75_000, 179_000].map((ms) => world.startMs + ms)
const COINS = world.instruments.map(({ coin }) => coin)
const DAY_MS = 86_400_000

const at = (atMs: number, answers = {}) =>
  factsOf(world)({
    atMs: tapeMs(atMs),
    shiftMs: SHIFT_MS,
    answers: { ...DEFAULT_ANSWERS, ...answers },
  })

const usd = (text: string) => parse(text, 6)
const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0)

test('net taker flow follows from bars and trades', () => {
  for (const coin of COINS)
    for (const windowMs of [1_000, 61_000, 601_234, 3_600_000, 60 * DAY_MS])
      for (const atMs of MOMENTS) {
        const of = world.byCoin.get(coin) as InstrumentRow
        const traded = tradedBetween(world, of, atMs - windowMs + 1, atMs + 1)
        const { size = 0, bought = 0, notional = 0n, boughtNotional = 0n } = traded ?? {}
        const { szDelta, valDelta } = at(atMs).orderFlow.takerDelta({ coin, windowMs })
        expect([parse(szDelta, of.szDecimals), usd(valDelta)]).toEqual([
          2 * bought - size,
          Number(2n * boughtNotional - notional),
        ])
      }
})

test('klines are the candles of candleSnapshot and of the socket, and add up to the delta', () => {
  const atMs = world.endMs
  const { orderFlow, candles } = at(atMs)
  for (const coin of COINS)
    for (const interval of ['1s', '15s', '1m', '1h', '1d', '1w']) {
      const klines = runToEnd(
        orderFlow.klines({
          coin,
          interval,
          limit: 2000,
          startTimeMs: atMs - 2 * DAY_MS,
        }),
      )
      const same =
        runToEnd(candles.between({ coin, interval, startTimeMs: atMs - 2 * DAY_MS })) ?? []
      const numbers = same.map(({ t, o, h, l, c, v, n }) => [t, n, ...[o, h, l, c, v].map(Number)])
      expect(klines.map(numbersOf)).toEqual(numbers.slice(-2000))
      const last = candles.last(coin, interval)
      const { tcBuyer, sizeBuyer, amount, amountBuyer } = klines.at(-1) ?? {}
      expect([tcBuyer, Number(sizeBuyer)]).toEqual([last?.nb, Number(last?.vb)])
      expect([amount, amountBuyer]).toEqual([last?.a, last?.ab])
    }
  for (const coin of COINS) {
    const minutes = runToEnd(
      orderFlow.klines({
        coin,
        interval: '1m',
        limit: 2000,
        startTimeMs: atMs - DAY_MS,
      }),
    )
    const windowMs = atMs - (minutes[0]?.openTime ?? 0) + 1
    const delta = sum(minutes.map((one) => 2 * usd(one.amountBuyer) - usd(one.amount)))
    expect(usd(orderFlow.takerDelta({ coin, windowMs }).valDelta)).toBe(delta)
  }
})

const numbersOf = ({ openTime, tc, open, high, low, close, size }: Kline) => [
  openTime,
  tc,
  ...[open, high, low, close, size].map(Number),
]

test('in a span with more klines than the limit the newest or the oldest are returned', () => {
  const query = (history: string, more: object) =>
    runToEnd(
      at(world.endMs, { 'history-excess': history }).orderFlow.klines({
        coin: 'BTC',
        interval: '1m',
        limit: 5,
        ...more,
      }),
    )
  const all = query('newest', { limit: 2000 })
  const [startTimeMs, endTimeMs] = [all[10]?.openTime, all[30]?.openTime]
  expect(query('newest', { startTimeMs, endTimeMs })).toEqual(all.slice(26, 31))
  expect(query('oldest', { startTimeMs, endTimeMs })).toEqual(all.slice(10, 15))
  expect(query('oldest', { endTimeMs })).toEqual(all.slice(26, 31))
  expect(query('newest', { startTimeMs: endTimeMs, endTimeMs: startTimeMs })).toEqual([])
  expect(query('oldest', { startTimeMs: world.endMs + DAY_MS })).toEqual([])
})

test('summaries of books are the sums of the books', () => {
  for (const coin of COINS) {
    const query = (atMs: number, unit = 'coin') =>
      runToEnd(
        at(atMs, { 'book-summary-unit': unit }).orderFlow.bookSummaries({
          coin,
          windowMs: 3_600_000,
        }),
      )
    for (const atMs of MOMENTS) {
      const [last] = query(atMs).slice(-1)
      const dbKey = { BTC: 'btcswapusdc:hl', SOL: 'solswapusdc:hl' }[coin]
      if (dbKey === undefined) continue
      const { bids, asks } = at(atMs).futures.fullDepth(dbKey) ?? { bids: [], asks: [] }
      const total = (side: string[][]) => sum(side.map(([, sz]) => parse(sz ?? '', 5)))
      expect(parse(last?.bidVolume ?? '', 5)).toBe(total(bids))
      expect(parse(last?.askVolume ?? '', 5)).toBe(total(asks))
      const [inDollars] = query(atMs, 'usd').slice(-1)
      const bought = sum(bids.map(([px, sz]) => Number(px) * Number(sz)))
      expect(Number(inDollars?.bidVolume) / bought).toBeCloseTo(1, 9)
    }
    const [early, late] = [query(MOMENTS[1] as number), query(MOMENTS[2] as number)]
    const times = late.map(({ time }) => time)
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
    const kept = late.filter(({ time }) => time <= (early.at(-2)?.time ?? 0))
    expect(early.slice(0, -1).slice(-kept.length)).toEqual(kept)
  }
})

test('candles with taker volume are made one at a time, so that other requests get turns', () => {
  const work = at(world.endMs).orderFlow.klines({ coin: 'BTC', interval: '1m', limit: 2000 })
  let slices = 0
  while (!work.next().done) slices++
  expect(slices).toBeGreaterThanOrEqual(2000)
})
