/** Ratios of traders follow from their equity, and are within their ranges. */
import { expect, test } from 'bun:test'
import type { FoundTrader, TraderColumn } from '../../src/contract/records/trader-search.ts'
import { isRefusal } from '../../src/contract/refusal.ts'
import { busiestAccounts, factsAt, smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const SHIFT_MS = 30_000_007_000
const DAY_MS = 86_400_000
const at = (timeMs: number) => factsAt(world, timeMs, SHIFT_MS)

const COLUMNS: TraderColumn[] = [
  ...(['address', 'sharpe', 'winRate', 'longWinRate', 'shortWinRate', 'longRatio'] as const),
  ...(['ddDrawdown', 'snapMarginUsageRate', 'avgLeverage', 'positionCount'] as const),
]

/** All traders found by a search. */
function found(period: number): FoundTrader[] {
  const rows: FoundTrader[] = []
  for (let pageNum = 1; pageNum <= 20; pageNum++) {
    const query = {
      pageNum,
      pageSize: 25,
      period,
      selects: COLUMNS,
      loadPnls: false,
      loadTags: false,
    }
    const search = at(world.endMs).traders.discover(query)
    if (isRefusal(search)) throw new Error('refused')
    let step = search.next()
    while (!step.done) step = search.next()
    rows.push(...step.value.list)
  }
  return rows
}

test('the Sharpe ratio is that of the returns of whole days', () => {
  const midnightMs = Math.floor((world.endMs + SHIFT_MS) / DAY_MS) * DAY_MS - SHIFT_MS
  const days = Array.from({ length: 8 }, (_, day) => midnightMs - (7 - day) * DAY_MS)
  const ratios = new Map(found(7).map(({ address, sharpe }) => [address, sharpe]))
  let compared = 0
  for (const { address } of busiestAccounts(world)) {
    const points = days.map((timeMs) => {
      const { traders, pnlCurves } = at(timeMs)
      const [account] = traders.accounts([address])
      const { netPerpIn, netSpotIn } = pnlCurves.netFlow(address, 0)
      const value = Number(account?.totalValue) + Number(account?.builderPerpValue)
      return { value, paidIn: Number(netPerpIn) + Number(netSpotIn) }
    })
    const returns = points.slice(1).flatMap((now, place) => {
      const before = points[place] as (typeof points)[0]
      const base = before.value + Math.max(now.paidIn - before.paidIn, 0)
      return base > 0 ? [(now.value - now.paidIn - before.value + before.paidIn) / base] : []
    })
    const sharpe = ratios.get(address)
    const isEven = returns.every((one) => one === returns[0])
    if (returns.length < 5 || isEven) {
      expect(sharpe).toBeNull()
      continue
    }
    const mean = returns.reduce((sum, one) => sum + one, 0) / returns.length
    const squares = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0)
    const ratio = (mean / Math.sqrt(squares / (returns.length - 1))) * Math.sqrt(365)
    expect(Number(sharpe)).toBeCloseTo(ratio, 1)
    compared++
  }
  expect(compared).toBeGreaterThan(5)
})

test('a ratio of fewer than five days is not given', () => {
  expect(found(1).every(({ sharpe }) => sharpe === null)).toBe(true)
  expect(found(30).filter(({ sharpe }) => sharpe !== null).length).toBeGreaterThan(100)
})

test('a ratio of a month needs fifteen days, also of an account whose week was looked at', () => {
  const midnightMs = Math.floor((world.endMs + SHIFT_MS) / DAY_MS) * DAY_MS - SHIFT_MS
  const isYoung = (address: string) => {
    const [account] = at(midnightMs - 14 * DAY_MS).traders.accounts([address])
    return Number(account?.totalValue) + Number(account?.builderPerpValue) === 0
  }
  const ofWeek = found(7).filter(({ address, sharpe }) => sharpe !== null && isYoung(address))
  expect(ofWeek.length).toBeGreaterThan(2)
  const ofMonth = new Map(found(30).map(({ address, sharpe }) => [address, sharpe]))
  for (const { address } of ofWeek) expect([address, ofMonth.get(address)]).toEqual([address, null])
})

test('ratios are within their ranges', () => {
  for (const period of [7, 30, 0])
    for (const one of found(period)) {
      for (const part of [one.winRate, one.longWinRate, one.shortWinRate, one.longRatio])
        expect(part).toBeWithin(0, 1.0001)
      expect(Number(one.ddDrawdown)).toBeWithin(0, 1.0001)
      expect(Number(one.snapMarginUsageRate)).toBeGreaterThanOrEqual(0)
      expect(Number(one.avgLeverage)).toBeWithin(0, 40.001)
      if (typeof one.sharpe === 'number') expect(Math.abs(one.sharpe)).toBeLessThan(80)
    }
})
