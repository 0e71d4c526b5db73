/** Market-wide data of the perpetual venue: reckoned anew from everybody's accounts and orders. */
import { expect, test } from 'bun:test'
import { tapeMs } from '../../src/clock/instant.ts'
import { DEFAULT_ANSWERS } from '../../src/contract/questions.ts'
import { parse } from '../../src/decimal/scaled.ts'
import { factsOf } from '../../src/world/facts.ts'
import { tradersOf } from '../../src/world/rows/traders.ts'
import { smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
/** No whole number of hours or days. */
const SHIFT_MS = 30_000_007_000
const MOMENTS = [0, 75_000, 179_000].map((ms) => world.startMs + ms)
const COINS = world.instruments.map(({ coin }) => coin)
const PERPS = world.instruments.filter(({ kind }) => kind === 'perp')
const DAY_MS = 86_400_000

const at = (atMs: number, answers = {}) =>
  factsOf(world)({
    atMs: tapeMs(atMs),
    shiftMs: SHIFT_MS,
    answers: { ...DEFAULT_ANSWERS, ...answers },
  })

const usd = (text: string) => parse(text, 6)
const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0)

/** Every open position, as the account states have them. */
function positions(atMs: number) {
  const { accounts } = at(atMs)
  return tradersOf(world).list.flatMap(({ address }) =>
    ['', 'xyz'].flatMap((dex) =>
      accounts
        .native(address, dex)
        .assetPositions.map(({ position }) => ({ address, ...position })),
    ),
  )
}

test('open interest is what all accounts hold, at the mark price', () => {
  for (const atMs of MOMENTS) {
    const all = positions(atMs)
    const rows = at(atMs).openInterest.topCoins({ windowMs: 3 * DAY_MS, limit: 50 })
    expect(rows.map(({ coin }) => coin).sort()).toEqual([...new Set(all.map(coinOf))].sort())
    for (const row of rows) {
      const held = all.filter(({ coin }) => coin === row.coin)
      const worth = (sign: number) =>
        sum(held.filter(({ szi }) => Math.sign(Number(szi)) === sign).map(worthOf))
      expect(row.positionCount).toBe(held.length)
      // Each of the values is rounded to a micro-dollar, the open interest only once.
      expect(Math.abs(usd(row.longPv) - worth(1))).toBeLessThanOrEqual(held.length / 2)
      expect(Math.abs(usd(row.shortPv) - worth(-1))).toBeLessThanOrEqual(held.length / 2)
      expect(usd(row.totalPv)).toBe(usd(row.longPv) + usd(row.shortPv))
      expect(Math.abs(usd(row.avgPv) * row.positionCount - usd(row.totalPv))).toBeLessThanOrEqual(
        row.positionCount / 2,
      )
      const [last] = at(atMs).openInterest.history({ coin: row.coin, windowMs: DAY_MS }).slice(-1)
      const { longPv, totalPv, avgPv, positionCount } = row
      expect(last).toMatchObject({ time: atMs, longPv, totalPv, avgPv, positionCount })
      expect(last?.longCount).toBe(held.filter(({ szi }) => Number(szi) > 0).length)
    }
    const values = rows.map(({ totalPv }) => usd(totalPv))
    expect(values).toEqual(values.toSorted((a, b) => b - a))
    const whole = at(atMs).openInterest.summary()
    for (const field of ['longPv', 'shortPv', 'totalPv'] as const)
      expect(usd(whole[field])).toBe(sum(rows.map((row) => usd(row[field]))))
    expect(whole.positionCount).toBe(sum(rows.map(({ positionCount }) => positionCount)))
  }
})

const coinOf = ({ coin }: { coin: string }) => coin
const worthOf = ({ positionValue }: { positionValue: string }) => usd(positionValue)

test('only positions opened in the window count when that is what the window means', () => {
  const answers = { 'top-coins-window': 'opened' }
  const ask = (windowMs: number) =>
    at(world.endMs, answers).openInterest.topCoins({ windowMs, limit: 50 })
  const counts = (rows: { coin: string; positionCount: number }[]) =>
    Object.fromEntries(rows.map(({ coin, positionCount }) => [coin, positionCount]))
  const ever = at(world.endMs).openInterest.topCoins({ windowMs: 180 * DAY_MS, limit: 50 })
  expect(counts(ask(180 * DAY_MS))).toEqual(counts(ever))
  for (const [at, row] of ask(180 * DAY_MS).entries())
    expect(Math.abs(usd(row.longPv) - usd(ever[at]?.longPv ?? ''))).toBeLessThan(1_000)
  const minutes = counts(ask(15 * 60_000))
  for (const [coin, count] of Object.entries(minutes))
    expect(count).toBeLessThan(counts(ever)[coin] ?? 0)
})

test('histories stand at whole steps of the shown clock, and keep what they said', () => {
  const [early, late] = [MOMENTS[1] as number, MOMENTS[2] as number]
  for (const windowMs of [15 * 60_000, DAY_MS, 180 * DAY_MS])
    for (const step of ['few', 'fine'])
      for (const { coin } of PERPS) {
        const ask = (atMs: number) =>
          at(atMs, { 'open-interest-step': step }).openInterest.history({ coin, windowMs })
        const points = ask(late).slice(0, -1)
        for (const { time } of points) expect((time + SHIFT_MS) % 60_000).toBe(0)
        const before = ask(early).slice(0, -1)
        const firstMs = points[0]?.time ?? late
        const kept = before.filter(({ time }) => time >= firstMs)
        expect(points.filter(({ time }) => time <= early)).toEqual(kept)
      }
})

test('what takers bought less what they sold is told by the trades', () => {
  for (const coin of COINS)
    for (const windowMs of [1_000, 61_000, 3_600_000, 60 * DAY_MS])
      for (const atMs of MOMENTS) {
        const [row] = world.db
          .query(
            `select coalesce(sum(case side when 'B' then sz else -sz end), 0),
             coalesce(sum(case side when 'B' then notional else -notional end), 0)
             from trade where instrument = ? and timeMs > ? and timeMs <= ?`,
          )
          .values(world.byCoin.get(coin)?.id ?? -1, atMs - windowMs, atMs) as [number, number][]
        const { szDelta, valDelta } = at(atMs).orderFlow.takerDelta({ coin, windowMs })
        const { szDecimals = 0 } = world.byCoin.get(coin) ?? {}
        expect([parse(szDelta, szDecimals), usd(valDelta)]).toEqual(row as [number, number])
      }
})

test('klines are the candles of candleSnapshot and of the socket, and add up to the delta', () => {
  const atMs = world.endMs
  const { orderFlow, candles } = at(atMs)
  for (const coin of COINS)
    for (const interval of ['1s', '15s', '1m', '1h', '1d', '1w']) {
      const klines = orderFlow.klines({
        coin,
        interval,
        limit: 2000,
        startTimeMs: atMs - 2 * DAY_MS,
      })
      const same = candles.between({ coin, interval, startTimeMs: atMs - 2 * DAY_MS }) ?? []
      const numbers = same.map(({ t, o, h, l, c, v, n }) => [t, n, ...[o, h, l, c, v].map(Number)])
      expect(klines.map(numbersOf)).toEqual(numbers.slice(-2000))
      const last = candles.last(coin, interval)
      const { tcBuyer, sizeBuyer, amount, amountBuyer } = klines.at(-1) ?? {}
      expect([tcBuyer, Number(sizeBuyer)]).toEqual([last?.nb, Number(last?.vb)])
      expect([amount, amountBuyer]).toEqual([last?.a, last?.ab])
    }
  for (const coin of COINS) {
    const minutes = orderFlow.klines({
      coin,
      interval: '1m',
      limit: 2000,
      startTimeMs: atMs - DAY_MS,
    })
    const windowMs = atMs - (minutes[0]?.openTime ?? 0) + 1
    const delta = sum(minutes.map((one) => 2 * usd(one.amountBuyer) - usd(one.amount)))
    expect(usd(orderFlow.takerDelta({ coin, windowMs }).valDelta)).toBe(delta)
  }
})

type Kline = ReturnType<ReturnType<typeof at>['orderFlow']['klines']>[number]

const numbersOf = ({ openTime, tc, open, high, low, close, size }: Kline) => [
  openTime,
  tc,
  ...[open, high, low, close, size].map(Number),
]

test('of a span with more klines than the limit the newest or the oldest are told', () => {
  const ask = (history: string, more: object) =>
    at(world.endMs, { 'history-excess': history }).orderFlow.klines({
      coin: 'BTC',
      interval: '1m',
      limit: 5,
      ...more,
    })
  const all = ask('newest', { limit: 2000 })
  const [startTimeMs, endTimeMs] = [all[10]?.openTime, all[30]?.openTime]
  expect(ask('newest', { startTimeMs, endTimeMs })).toEqual(all.slice(26, 31))
  expect(ask('oldest', { startTimeMs, endTimeMs })).toEqual(all.slice(10, 15))
  expect(ask('oldest', { endTimeMs })).toEqual(all.slice(26, 31))
  expect(ask('newest', { startTimeMs: endTimeMs, endTimeMs: startTimeMs })).toEqual([])
  expect(ask('oldest', { startTimeMs: world.endMs + DAY_MS })).toEqual([])
})

test('summaries of books are the sums of the books', () => {
  for (const coin of COINS) {
    const ask = (atMs: number, unit = 'coin') =>
      at(atMs, { 'book-summary-unit': unit }).orderFlow.bookSummaries({ coin, windowMs: 3_600_000 })
    for (const atMs of MOMENTS) {
      const [last] = ask(atMs).slice(-1)
      const dbKey = { BTC: 'btcswapusdc:hl', SOL: 'solswapusdc:hl' }[coin]
      if (dbKey === undefined) continue
      const { bids, asks } = at(atMs).futures.fullDepth(dbKey) ?? { bids: [], asks: [] }
      const total = (side: string[][]) => sum(side.map(([, sz]) => parse(sz ?? '', 5)))
      expect(parse(last?.bidVolume ?? '', 5)).toBe(total(bids))
      expect(parse(last?.askVolume ?? '', 5)).toBe(total(asks))
      const [worth] = ask(atMs, 'usd').slice(-1)
      const bought = sum(bids.map(([px, sz]) => Number(px) * Number(sz)))
      expect(Number(worth?.bidVolume) / bought).toBeCloseTo(1, 9)
    }
    const [early, late] = [ask(MOMENTS[1] as number), ask(MOMENTS[2] as number)]
    const times = late.map(({ time }) => time)
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
    const kept = late.filter(({ time }) => time <= (early.at(-2)?.time ?? 0))
    expect(early.slice(0, -1).slice(-kept.length)).toEqual(kept)
  }
})
