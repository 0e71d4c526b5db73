/** Stocks trade in the sessions of their exchanges, and follow bitcoin. */
import { expect, test } from 'bun:test'
import { tapeMs } from '../../src/clock/instant.ts'
import { DEFAULT_ANSWERS } from '../../src/contract/questions.ts'
import type { StockQuote } from '../../src/contract/records/stock.ts'
import { factsOf } from '../../src/market/world/facts.ts'
import { factsAt, smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const MINUTE_MS = 60_000

type Quote = StockQuote & { start_ts: number; end_ts: number }

/** A quote at an instant of shown time, at which the tape ends. */
function quoteAt(ticker: string, endsAt: string, agoMs = 0): Quote {
  const shiftMs = Date.parse(endsAt) - world.endMs
  const answers = { ...DEFAULT_ANSWERS, 'stock-quote-day': 'present' as const }
  const atMs = tapeMs(world.endMs - agoMs)
  const [found] = factsOf(world)({ atMs, shiftMs, answers }).stock.quotes([ticker])
  if (!found) throw new Error(`no stock ${ticker}`)
  const times = [found.timestamp, found.start_ts ?? 0, found.end_ts ?? 0]
  const [timestamp, start_ts, end_ts] = times.map((timeMs) => timeMs + shiftMs)
  return { ...found, timestamp, start_ts, end_ts } as Quote
}

const iso = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 16)

test('the day of a stock is the prices of its session so far, minute by minute', () => {
  for (const [ticker, endsAt, opened] of [
    ['i:mstr:nasdaq', '2026-03-11T17:20Z', '2026-03-11T13:30'],
    ['i:863:hkex', '2026-03-11T06:40Z', '2026-03-11T01:30'],
    ['i:cryptoeq:index', '2026-03-11T19:59Z', '2026-03-11T13:30'],
  ] as const) {
    const last = quoteAt(ticker, endsAt)
    expect([iso(last.start_ts), last.close]).toEqual([opened, last.last_price])
    const seen: Quote[] = []
    for (let ago = 0; ; ago += MINUTE_MS) {
      const quote = quoteAt(ticker, endsAt, ago)
      if (quote.start_ts !== last.start_ts) break
      seen.unshift(quote)
    }
    expect(seen.length * MINUTE_MS).toBeWithin(3 * 60 * MINUTE_MS, 7 * 60 * MINUTE_MS)
    const prices = seen.map(({ last_price }) => last_price)
    expect(last.open).toBe(prices[0] as number)
    expect([last.high, last.low]).toEqual([Math.max(...prices), Math.min(...prices)])
    const volumes = seen.map(({ volume }) => volume)
    expect(volumes).toEqual(volumes.toSorted((a, b) => a - b))
    if (!ticker.endsWith('index')) expect(new Set(volumes).size).toBeGreaterThan(180)
  }
})

test('while its exchange is closed a stock stays at its last close', () => {
  for (const [ticker, closed, times] of [
    ['i:mstr:nasdaq', '2026-03-13T20:00Z', ['2026-03-13T23:00Z', '2026-03-16T13:29:59Z']],
    ['i:mstr:nasdaq', '2026-11-27T18:00Z', ['2026-11-27T18:30Z', '2026-11-29T12:00Z']],
    ['i:863:hkex', '2026-02-16T04:00Z', ['2026-02-17T03:00Z', '2026-02-19T06:00Z']],
    ['i:863:hkex', '2026-03-11T04:00Z', ['2026-03-11T04:30Z', '2026-03-11T04:59Z']],
  ] as const) {
    const [first = '', second = ''] = times
    const spanMs = Date.parse(second) - Date.parse(first)
    const [before, after] = [quoteAt(ticker, second, spanMs), quoteAt(ticker, second)]
    expect(after).toEqual(before)
    expect(Date.parse(closed) - after.timestamp).toBeWithin(0, MINUTE_MS)
  }
})

test('a stock follows bitcoin from close to close by its beta, and has a motion of its own', () => {
  const DAY_MS = 1440 * MINUTE_MS
  // Friday's close and those of the two weeks before it.
  const endsAt = '2026-03-13T20:00Z'
  const fridays = [0, 7, 14, 21]
  const close = (ticker: string, days: number) => quoteAt(ticker, endsAt, days * DAY_MS).last_price
  const changes = (of: (days: number) => number) =>
    fridays.slice(1).map((days) => Math.log(of(days - 7) / of(days)))
  const bitcoin = changes((days) =>
    Number(factsAt(world, world.endMs - days * DAY_MS).market.ticker('BTC')?.price),
  )
  const symbols = ['mstr', 'coin', 'mara', 'riot', 'clsk', 'hut', 'cifr', 'wulf']
  const moved = symbols.map((symbol) => changes((days) => close(symbol, days)))
  expect(new Set(moved.flat()).size).toBe(moved.flat().length)
  const size = (list: number[]) => Math.sqrt(list.reduce((sum, one) => sum + one * one, 0))
  const mean = bitcoin.map((_, at) => moved.reduce((sum, one) => sum + (one[at] ?? 0), 0) / 8)
  const together = mean.reduce((sum, one, at) => sum + one * (bitcoin[at] ?? 0), 0)
  expect(together / size(mean) / size(bitcoin)).toBeGreaterThan(0.5)
  expect(size(mean) / size(bitcoin)).toBeWithin(0.8, 2.6)
})

test('about half of the variance of stocks falls into their sessions', () => {
  const DAY_MS = 1440 * MINUTE_MS
  const days = Array.from({ length: 28 }, (_, at) => at * DAY_MS)
  let [inSession, inAll] = [0, 0]
  for (const endsAt of ['2026-03-13T20:00Z', '2025-10-10T20:00Z'])
    for (const symbol of ['mstr', 'coin', 'mara', 'riot', 'hood', 'crcl', 'iren'])
      for (const ago of days) {
        const [now, before] = [ago, ago + DAY_MS].map((ms) => quoteAt(symbol, endsAt, ms)) as [
          Quote,
          Quote,
        ]
        if (now.start_ts === before.start_ts) continue
        inSession += Math.log(now.last_price / now.open) ** 2
        inAll += Math.log(now.last_price / before.last_price) ** 2
      }
  expect(inSession / inAll).toBeWithin(0.3, 0.75)
})
