/** Completed trades agree with one another, with their fills and with their statistics. */
import { expect, test } from 'bun:test'
import type { CompletedTrade } from '../../src/contract/records/completed-trade.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'

const { sandbox } = await recordedRegistry({ at: 16 * 60_000, epoch: 'tape' })
const facts = sandbox.facts()
const cast = sandbox.world.cast(facts.moment) as {
  addresses: Record<string, string>
  completedPositions: { address: string; coin: string; openTime: number; closeTime: number }[]
}
const addresses = [
  ...new Set([
    ...Object.values(cast.addresses),
    ...cast.completedPositions.map(({ address }) => address),
  ]),
]
const ALL = 2_000
const sum = (values: readonly string[]) => values.reduce((total, value) => total + Number(value), 0)

test('trades come newest first, are over by now, and the latest are the first of all', () => {
  for (const address of addresses) {
    const all = facts.completedTrades.latest(address, { limit: ALL })
    const ends = all.map(({ closeTime }) => closeTime)
    expect(ends).toEqual(ends.toSorted((a, b) => b - a))
    expect(ends.every((end) => end <= facts.moment.atMs)).toBe(true)
    expect(facts.completedTrades.latest(address, { limit: 3 })).toEqual(all.slice(0, 3))
    for (const { openTime, closeTime } of all) expect(openTime).toBeLessThanOrEqual(closeTime)
  }
  expect(facts.completedTrades.latest('0x'.padEnd(42, 'f'), { limit: 5 })).toEqual([])
})

test('the PnL follows from its prices and size, and its percentage from the entry', () => {
  let seen = 0
  for (const address of addresses)
    for (const trade of facts.completedTrades.latest(address, { limit: 50 })) {
      const [entry, exit, size] = [trade.entryPrice, trade.exitPrice, trade.size].map(Number)
      const sign = trade.side === 'long' ? 1 : -1
      const gain = sign * ((exit ?? 0) - (entry ?? 0)) * (size ?? 0)
      const value = (entry ?? 0) * (size ?? 0)
      // Averages are written with one decimal more than prices.
      expect(Math.abs(gain - Number(trade.pnl))).toBeLessThan(0.01 + value * 1e-4)
      expect(Number(trade.pnlPercent)).toBeCloseTo((100 * Number(trade.pnl)) / value, 1)
      seen++
    }
  expect(seen).toBeGreaterThan(50)
})

test('figures, best trades and results by coin are those of the trades of their period', () => {
  for (const address of addresses)
    for (const days of [0, 1, 7, 30]) {
      const fromMs = days === 0 ? 0 : facts.moment.atMs - days * 86_400_000
      const trades = facts.completedTrades
        .latest(address, { limit: ALL })
        .filter(({ closeTime }) => closeTime >= fromMs)
      if (trades.length === ALL) continue
      const stat = facts.completedTrades.stat(address, days)
      expect(stat.closePosCount).toBe(trades.length)
      expect(Number(stat.totalPnl)).toBeCloseTo(sum(trades.map(({ pnl }) => pnl)), 4)
      const wins = trades.filter(({ pnl }) => Number(pnl) > 0).length
      if (trades.length > 0) expect(Number(stat.winRate)).toBeCloseTo(wins / trades.length, 5)
      const coins = facts.completedTrades.byCoin(address, days, 100)
      expect(sum(coins.map(({ totalPnl }) => totalPnl))).toBeCloseTo(Number(stat.totalPnl), 4)
      expect(coins.reduce((count, { tradeCount }) => count + tradeCount, 0)).toBe(trades.length)
      const best = facts.completedTrades.best(address, days, 5).map(({ pnl }) => Number(pnl))
      const largest = trades.map(({ pnl }) => Number(pnl)).sort((a, b) => b - a)
      expect(best).toEqual(largest.slice(0, 5))
      const [ranked] = facts.traders.statistics([address], days, false)
      expect([ranked?.realizedPnl, ranked?.positions]).toEqual([stat.totalPnl, trades.length])
    }
})

test('by time they come in pages that make up the whole list', () => {
  for (const address of addresses.slice(0, 6)) {
    const all = facts.completedTrades.latest(address, { limit: 90 })
    const pages: CompletedTrade[] = []
    for (let pageNum = 1; pageNum <= 3; pageNum++) {
      const query = { fromMs: undefined, toMs: undefined, pageNum, pageSize: 30 }
      const page = facts.completedTrades.between(address, query)
      if (Array.isArray(page)) throw new Error('a page was expected')
      pages.push(...page.list)
    }
    expect(pages).toEqual(all)
    const [first, last] = [all.at(-1), all[0]]
    if (!first || !last) continue
    const span = { fromMs: first.closeTime, toMs: last.closeTime, pageNum: 1, pageSize: 1 }
    const page = facts.completedTrades.between(address, span)
    expect('total' in page && page.total).toBeGreaterThanOrEqual(all.length)
  }
})
