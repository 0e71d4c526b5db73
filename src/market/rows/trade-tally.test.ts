import { expect, test } from 'bun:test'
import { px, sz, usd } from '../../decimal/quantity.ts'
import { TradeTally } from './trade-tally.ts'

const part = (prices: readonly [number, number, number, number], trades: number) => {
  const [open, high, low, close] = prices.map(px) as [ReturnType<typeof px>, never, never, never]
  const sums = { buyTrades: 0, size: sz(trades), buySize: sz(0) }
  const money = { notional: usd(trades), buyNotional: usd(0) }
  return { open, high, low, close, trades, ...sums, ...money }
}
const shown = ({ open, high, low, close, n }: TradeTally) => [open, high, low, close, n].map(Number)

test('minutes without a trade hold a price, and a span opens with its first trade', () => {
  const held = new TradeTally()
  held.addBars(part([92, 92, 92, 92], 0))
  expect(shown(held)).toEqual([92, 92, 92, 92, 0])
  held.addBars(part([95, 96, 94, 95], 2))
  held.addBars(part([95, 95, 95, 95], 0))
  expect(shown(held)).toEqual([95, 96, 94, 95, 2])
  const before = new TradeTally()
  before.addBars(part([92, 92, 92, 92], 0))
  before.append(held)
  expect(shown(before)).toEqual([95, 96, 94, 95, 2])
})
