/** What tests of indicators ask: a small world on a clock that is shifted crookedly. */
import type { KlineQuery } from '../src/contract/facts/indicators.ts'
import type { IndicatorKey } from '../src/contract/records/indicator.ts'
import { SHIFT_MS, world } from './derivatives.ts'
import { factsAt } from './small-world.ts'

const EXCHANGES = ['binance', 'okex', 'bybit', 'gate', 'huobi', 'bitget']
export const OWN = 'btcswapusdc:hl'
export const PAIRS = [OWN, ...EXCHANGES.map((key) => `btcswapusdt:${key}`)]

export const facts = (atMs: number = world.endMs) => factsAt(world, atMs, SHIFT_MS)

export const wish = (
  symbol: string,
  periodS: number,
  more: Partial<KlineQuery> = {},
): KlineQuery => ({
  symbol,
  periodS,
  size: 500,
  openHour: 8,
  ...more,
})

export type Values = Record<string, string> & { time: number; timestamp: number }

export const records = (key: IndicatorKey, query: KlineQuery, atMs?: number) =>
  facts(atMs).indicators.records({ ...query, key }) as Values[]
