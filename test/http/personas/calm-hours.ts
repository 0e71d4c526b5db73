/** Checks that a market maker earns while prices are calm, and loses in trends. */
import { expect } from 'bun:test'
import type { Candle } from '../../../src/contract/records/candle.ts'
import type { UserFill } from '../../../src/contract/records/fill.ts'
import type { RequestedMarket } from '../../fixtures/requested-market.ts'

const BAR_MS = 300_000

/** The closing fills, with the price move of the minutes before. */
export function earnsInCalm({ ask, nowMs }: RequestedMarket, fills: readonly UserFill[]): void {
  const closings = [...Map.groupBy(fills, ({ coin }) => coin)].flatMap(([coin, own]) => {
    const req = { coin, interval: '5m', startTime: nowMs - 16 * 86_400_000 }
    const bars = ask('POST', '/hl/info', { body: { type: 'candleSnapshot', req } }) as Candle[]
    const ranges = new Map(bars.map(({ t, h, l }) => [t, Number(h) / Number(l) - 1]))
    return own.flatMap(({ time, closedPnl }) => {
      const range = ranges.get(time - (time % BAR_MS))
      return Number(closedPnl) === 0 || range === undefined ? [] : { range, pnl: Number(closedPnl) }
    })
  })
  expect(closings.length).toBeGreaterThan(100)
  const sorted = closings.toSorted((a, b) => a.range - b.range)
  const pnl = (list: typeof closings) => list.reduce((sum, one) => sum + one.pnl, 0)
  const calm = sorted.slice(0, sorted.length >> 1)
  expect(pnl(calm)).toBeGreaterThan(0)
  const mean = (list: typeof closings) =>
    list.reduce((sum, one) => sum + one.range, 0) / Math.max(list.length, 1)
  const losses = sorted.filter((one) => one.pnl < 0)
  expect(losses.length).toBeGreaterThan(0)
  expect(mean(losses)).toBeGreaterThan(mean(sorted.filter((one) => one.pnl > 0)))
}
