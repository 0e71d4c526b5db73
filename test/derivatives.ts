/** What tests of derivatives ask: a small world on a clock that is shifted crookedly. */
import type { HistoryQuery } from '../src/contract/facts/derivatives.ts'
import type { InstrumentRow } from '../src/world/schema.ts'
import { factsAt, smallWorld } from './small-world.ts'

/** No whole number of hours, minutes or days. */
export const SHIFT_MS = 30_000_007_000

export const world = await smallWorld()
export const btc = world.byCoin.get('BTC') as InstrumentRow

export const derivatives = (atMs: number = world.endMs) =>
  factsAt(world, atMs, SHIFT_MS).derivatives

export const of = (symbol: string, interval: string, limit = 1000): HistoryQuery => ({
  symbol,
  interval,
  limit,
})
