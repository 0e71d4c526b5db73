/** Indexes are formulas over the prices of coins. */
import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import { DEFAULT_ANSWERS } from '../../src/contract/questions.ts'
import { factsOf } from '../../src/market/world/facts.ts'
import { factsAt, smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const MINUTE_MS = 60_000
const SHIFT_MS = 30_000_007_000
const facts = (atMs: number = world.endMs) => factsAt(world, atMs, SHIFT_MS)
/** Full minutes of the tape and a few before it. */
const minutes = Array.from({ length: 8 }, (_, at) => world.startMs + (at - 5) * MINUTE_MS)

const price = (key: string, atMs: number) => {
  const found = runToEnd(facts(atMs).marketIndex.price(key, 'usd'))
  if (!found) throw new Error(`no index ${key}`)
  return found
}

const caps = (atMs: number) =>
  Object.fromEntries(
    runToEnd(facts(atMs).coin.tickers(['bitcoin', 'solana', 'purr'])).map(
      ({ coin_key, supply_usd }) => [coin_key, Number(supply_usd)],
    ),
  ) as Record<'bitcoin' | 'solana' | 'purr', number>

test('the total market index moves like the market caps of the coin list', () => {
  const [first = 0] = minutes
  const others = (atMs: number) => caps(atMs).solana + caps(atMs).purr
  const sum = (atMs: number) => caps(atMs).bitcoin + others(atMs)
  for (const atMs of minutes) {
    const moved = (key: string) => Number(price(key, atMs).price) / Number(price(key, first).price)
    expect(moved('i:total:index')).toBeCloseTo(sum(atMs) / sum(first), 4)
    expect(moved('i:altcoin:index')).toBeCloseTo(others(atMs) / others(first), 4)
    const dominance = Number(price('i:btcdominance:index', atMs).price)
    expect(dominance).toBeCloseTo((100 * caps(atMs).bitcoin) / sum(atMs), 2)
  }
})

test('the liquid index lies between the spot prices of the exchanges', () => {
  for (const atMs of minutes) {
    const prices = ['binance', 'okex', 'bybit', 'gate', 'huobi', 'bitget'].map((key) => {
      const query = { symbol: `btcusdt:${key}`, periodS: 60, size: 1, openHour: 8 as const }
      return Number(runToEnd(facts(atMs).indicator.klines(query))?.[0]?.[4])
    })
    const own = Number(facts(atMs).market.ticker('BTC')?.price)
    const index = Number(price('i:blx:bnc', atMs).price)
    expect(index).toBeLessThanOrEqual(Math.max(own, ...prices))
    expect(index).toBeGreaterThanOrEqual(Math.min(...prices))
  }
})

test('open, high and low of an index are values that it had in 24 hours', () => {
  for (const { key, price: shown, degree24h } of runToEnd(facts().marketIndex.list())) {
    const now = price(key, world.endMs)
    const [open, high, low] = [now.open, now.high, now.low].map(Number) as [number, number, number]
    expect(now.price).toBe(shown)
    expect(now.degree24H).toBe(degree24h)
    expect(price(key, world.endMs - 1440 * MINUTE_MS).price).toBe(now.open)
    expect(Number(now.change24H)).toBeCloseTo(Number(now.close) - open, 9)
    expect(Number(degree24h)).toBeCloseTo((100 * (Number(now.close) - open)) / open, 2)
    const seen = Array.from({ length: 1440 }, (_, at) =>
      Number(price(key, world.endMs - at * MINUTE_MS).price),
    )
    expect([high, low]).toEqual([Math.max(...seen, open), Math.min(...seen, open)])
  }
})

test('an index changes at full minutes only, and never depends on the future', () => {
  const [key, atMs] = ['i:blx:bnc', world.startMs + MINUTE_MS]
  const before = price(key, atMs)
  price(key, world.endMs)
  expect(price(key, atMs)).toEqual(before)
  expect(price(key, atMs + MINUTE_MS - 1)).toEqual(before)
  expect(price(key, atMs - 1)).not.toEqual(before)
})

test('amounts of money are given in a currency, percentages and scores are not', () => {
  const [usd, cny] = (['usd', 'cny'] as const).map((currency) => {
    const { marketIndex } = facts()
    const value = (key: string) => Number(runToEnd(marketIndex.price(key, currency))?.price)
    return [value('i:total:index'), value('i:fgi:alternative'), value('i:btcvol:index')]
  })
  // Both are rounded to cents.
  expect(Math.abs((cny?.[0] ?? 0) - 7.1 * (usd?.[0] ?? 0))).toBeLessThan(0.05)
  expect(cny?.slice(1)).toEqual(usd?.slice(1) ?? [])
})

test('a mood is a score from 0 to 100, and an index without a price is a dash', () => {
  for (let hour = 0; hour < 24 * 20; hour += 7) {
    const score = Number(price('i:fgi:alternative', world.endMs - hour * 60 * MINUTE_MS).price)
    expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true)
  }
  expect(price('i:total:index', world.meta.historyStartMs - MINUTE_MS).price).toBe('-')
  const answers = { ...DEFAULT_ANSWERS, 'index-without-price': 'dash' as const }
  const { marketIndex } = factsOf(world)({ atMs: world.endMs, shiftMs: 0, answers })
  expect(Object.values(runToEnd(marketIndex.price('i:vix:cboe', 'usd')) ?? {})).toEqual(
    Array(9).fill('-'),
  )
  expect(runToEnd(facts().marketIndex.price('i:vix:cboe', 'usd'))).toBeNull()
})

test('fear and greed has one value for a shown day, which follows the month of the market', () => {
  const DAY_MS = 1440 * MINUTE_MS
  const midnightMs = Math.floor((world.endMs + SHIFT_MS) / DAY_MS) * DAY_MS - SHIFT_MS
  const days = Array.from({ length: 28 }, (_, at) => midnightMs - (27 - at) * DAY_MS)
  const read = (atMs: number) => Number(price('i:fgi:alternative', atMs).price)
  const scores = days.map(read)
  for (const [at, dayMs] of days.slice(0, -1).entries())
    for (const offset of [1, DAY_MS / 2, DAY_MS - 1])
      expect(read(dayMs + offset)).toBe(scores[at] as number)
  expect(new Set(scores).size).toBeGreaterThan(8)
  const steps = scores.slice(1).map((score, at) => Math.abs(score - (scores[at] ?? 0)))
  expect(Math.max(...steps)).toBeLessThan(25)
  // Around neutral, to which it returns: a mean of so few days would take persistence away.
  const fromNeutral = scores.map((score) => score - 50)
  const products = fromNeutral.slice(1).map((score, at) => score * (fromNeutral[at] ?? 0))
  const squares = fromNeutral.map((score) => score * score)
  expect(sum(products) / sum(squares)).toBeGreaterThan(0.6)
  const weeks = days.slice(7).map((dayMs) => {
    const total = (atMs: number) => Number(price('i:total:index', atMs).price)
    return total(dayMs) / total(dayMs - 7 * DAY_MS)
  })
  expect(correlation(scores.slice(7), weeks)).toBeGreaterThan(0.4)
})

const sum = (list: number[]) => list.reduce((total, one) => total + one, 0)

function correlation(some: number[], others: number[]): number {
  const mean = (list: number[]) => sum(list) / list.length
  const [a, b] = [some, others].map((list) => list.map((one) => one - mean(list)))
  const product = (x: number[] = [], y: number[] = []) =>
    mean(x.map((one, at) => one * (y[at] ?? 0)))
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b))
}

test('each index has a document in the requested language', () => {
  const { marketIndex } = facts()
  for (const { key } of runToEnd(marketIndex.list())) {
    const [en, cn] = [marketIndex.info(key, 'en'), marketIndex.info(key, 'cn')]
    expect([en?.file_name, cn?.file_name].every((name) => name?.endsWith('.pdf'))).toBe(true)
    expect(en?.file_name).not.toBe(cn?.file_name as string)
    expect(en?.file_link).toBe(`${en?.link}/${en?.file_name}`)
  }
})
