import { runToEnd } from '../../../src/clock/turns.ts'
import type { Facts } from '../../../src/contract/facts.ts'
import { type Bar, MINUTE_MS } from '../bars.ts'
import type { OtherMarket, Reading } from '../observations.ts'
import { closingsOfPair } from './closings.ts'
import { otherPairOf } from './pairs.ts'

const SIZE = 500
/** Number of pages of minutes to read, the newest ones. */
const PAGES = 6
const HOURS = 1000

/** The coin's market on the other exchange with the most turnover. */
export function otherMarketOf(facts: Facts, coin: string, fromMs: number): OtherMarket | null {
  const symbol = otherPairOf(facts, coin)
  if (symbol === null) return null
  const closings = closingsOfPair(facts, symbol, fromMs)
  return { bars: barsOf(facts, symbol), funding: ratesOf(facts, symbol), closings }
}

function barsOf(facts: Facts, symbol: string): Bar[] {
  const bars: Bar[] = []
  const nowS = Math.floor(facts.moment.atMs / 1000)
  for (let page = PAGES - 1; page >= 0; page--) {
    const sinceS = nowS - page * SIZE * 60
    const query = { symbol, periodS: 60, size: SIZE, openHour: 0, sinceS } as const
    for (const [time, open, high, low, close, volume] of runToEnd(facts.indicator.klines(query)) ??
      []) {
      const timeMs = time * 1000
      if (timeMs <= (bars.at(-1)?.timeMs ?? 0) || timeMs + MINUTE_MS > facts.moment.atMs) continue
      const [o, h, l, c, v] = [open, high, low, close, volume].map(Number) as Numbers
      bars.push({ timeMs, open: o, high: h, low: l, close: c, volume: v, trades: 0 })
    }
  }
  return bars
}

type Numbers = [number, number, number, number, number]

function ratesOf(facts: Facts, symbol: string): Reading[] {
  const rates = runToEnd(facts.futures.fundingRates({ symbol, interval: '1h', limit: HOURS })) ?? []
  return rates.map(({ time, close }) => ({ timeMs: time, value: Number(close) }))
}
