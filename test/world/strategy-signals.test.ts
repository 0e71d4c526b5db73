/** Strategy signals agree with the rows of the world, and none depends on later ones. */
import { expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { runToEnd } from '../../src/clock/turns.ts'
import { DEFAULT_ANSWERS } from '../../src/contract/questions.ts'
import {
  STRATEGY_KEYS,
  type StrategyKey,
  StrategyPage,
  type StrategyRow,
} from '../../src/contract/records/signal.ts'
import { raw } from '../../src/decimal/quantity.ts'
import { type QuarterHour, quarterHoursOf } from '../../src/market/queries/signal/quarter-hours.ts'
import type { InstrumentRow } from '../../src/market/schema/schema.ts'
import { factsAt, smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const QUARTER = 900_000
const HORIZON = 16 * QUARTER
const COINS = { bitcoin: 'BTC', solana: 'SOL', purr: 'PURR/USDC' }

/** The last price before an instant, as text of the market. */
const priceBefore = (coin: string, timeMs: number) =>
  factsAt(world, timeMs - 1).market.ticker(coin)?.price

/** All signals up to an instant, page by page. */
function signals(coinType: string, key: StrategyKey, atMs: number = world.endMs, shiftMs = 0) {
  const { signal } = factsAt(world, atMs, shiftMs)
  const rows: StrategyRow[] = []
  for (let afterMs = 0; ; ) {
    const page = runToEnd(signal.strategyPage({ coinType, key, afterMs }))
    expect([...Value.Errors(StrategyPage, page)]).toEqual([])
    rows.push(...page.list)
    if (page.list.length < 100) return rows
    expect(page.latest_time).toBe(page.list.at(-1)?.[1] as string)
    afterMs = Number(page.latest_time)
  }
}

test('pages give every signal once, and the latest 100 without a time', () => {
  const all = signals('bitcoin', 'order_buy_one')
  expect(all.length).toBeGreaterThan(100)
  const times = all.map(([, time]) => Number(time))
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
  expect(new Set(all.map(([id]) => id)).size).toBe(all.length)
  const { list, latest_time } = runToEnd(
    factsAt(world, world.endMs).signal.strategyPage({
      coinType: 'BTC',
      key: 'order_buy_one',
    }),
  )
  expect(list).toEqual(all.slice(-100))
  const after = { coinType: 'BTC', key: 'order_buy_one', afterMs: Number(latest_time) } as const
  const rest = runToEnd(factsAt(world, world.endMs).signal.strategyPage(after))
  expect([rest.list, rest.latest_time]).toEqual([[], latest_time])
})

test('each strategy has signals, based only on earlier data', () => {
  for (const key of STRATEGY_KEYS) {
    const late = signals('bitcoin', key)
    expect([key, late.length]).not.toEqual([key, 0])
    const atMs = Number(late[Math.floor(late.length / 2)]?.[1])
    const early = signals('bitcoin', key, atMs)
    // Only a signal's outcome is added later.
    const shown = (rows: StrategyRow[]) => rows.map((row) => row.filter((_, at) => at !== 8))
    expect(shown(early)).toEqual(shown(late.filter(([, time]) => Number(time) <= atMs)))
    expect(early.at(-1)?.[8]).toBe('running')
    for (const [, time, , , , , , , state] of early)
      expect(state === 'running').toBe(Number(time) + HORIZON > atMs)
  }
})

test('a signal has the price of its instant, and won or lost by the price four hours later', () => {
  for (const [coinType, coin] of Object.entries(COINS)) {
    const rows = signals(coinType, 'depth_win_one')
    expect(rows.length).toBeGreaterThan(10)
    for (const [, time, , side, , , , , state, price] of rows) {
      const timeMs = Number(time)
      expect(timeMs % QUARTER).toBe(0)
      expect(price).toBe(priceBefore(coin, timeMs) as string)
      if (state === 'running') continue
      const gain = Number(priceBefore(coin, timeMs + HORIZON)) - Number(price)
      expect(state).toBe((side === 'buy' ? gain > 0 : gain < 0) ? 'won' : 'lost')
    }
  }
})

test('the win rate is that of the signals settled before', () => {
  const rows = signals('bitcoin', 'order_buy_one')
  for (const [, time, , , , rate] of rows) {
    const settled = rows.filter(([, other]) => Number(other) + HORIZON <= Number(time))
    const won = settled.filter((row) => row[8] === 'won').length
    expect(Number(rate)).toBeCloseTo(settled.length === 0 ? 0 : won / settled.length, 3)
  }
})

test('open orders of a quarter are the statistics of open orders, where there is a book', () => {
  for (const coin of Object.values(COINS)) {
    // The small world is shorter than a quarter of an hour: its phases put a close within it.
    for (let atMs = world.startMs + 30_000; atMs <= world.endMs; atMs += 50_000) {
      const shiftMs = QUARTER - (atMs % QUARTER)
      const moment = { atMs: world.endMs, shiftMs, answers: DEFAULT_ANSWERS }
      const steps = runToEnd(quarterHoursOf(world, moment, world.byCoin.get(coin) as InstrumentRow))
      const { bids, asks } = steps.find(({ endMs }) => endMs === atMs) as QuarterHour
      const stats = runToEnd(factsAt(world, atMs).orders.activeStats({ coin, whaleUsd: '0' }))
      expect([bids.count, asks.count]).toEqual([stats.bidCount, stats.askCount])
      expect(raw(bids.value) / 1e6).toBeCloseTo(Number(stats.bidValue), 1)
      expect(raw(asks.value) / 1e6).toBeCloseTo(Number(stats.askValue), 1)
    }
  }
})

test('signals of the book are of the side that outweighs the other', () => {
  const moment = { atMs: world.endMs, shiftMs: 0, answers: DEFAULT_ANSWERS }
  for (const [coinType, coin] of Object.entries(COINS)) {
    const of = world.byCoin.get(coin) as InstrumentRow
    const steps = new Map(
      runToEnd(quarterHoursOf(world, moment, of)).map((step) => [`${step.endMs}`, step]),
    )
    for (const [, time, , side] of signals(coinType, 'depth_win_one')) {
      const { bids, asks } = steps.get(time) as QuarterHour
      const part = raw(bids.value) / (raw(bids.value) + raw(asks.value))
      expect(side === 'buy' ? part >= 0.6 : part <= 0.4).toBe(true)
    }
  }
})

test('signals lie on quarters of shown time', () => {
  const rows = signals('bitcoin', 'depth_win_one', world.endMs, 123_000)
  expect(rows.length).toBeGreaterThan(10)
  for (const [, time] of rows) expect((Number(time) + 123_000) % QUARTER).toBe(0)
})

test('supported are all strategies of all coins, on spot those without accounts', () => {
  const { signal } = factsAt(world, world.endMs)
  const page = runToEnd(signal.strategyPage({ coinType: 'nothing', key: 'lsur_one' }))
  expect(page.list).toEqual([])
  const categories = (coin: string) =>
    page.supportList.filter(({ coinType }) => coinType === coin).map(({ category }) => category)
  expect(categories('bitcoin')).toEqual(Array(6).fill('futures'))
  expect(categories('purr')).toEqual(Array(5).fill('spot'))
})
