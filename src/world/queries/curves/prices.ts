/** Mark prices at any instant; those that are asked for often are kept. */
import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'
import { markPx } from '../purse.ts'

/** As `PurseReader` has it, at an instant that comes again: a point of a grid. Price units. */
export function gridPriceAt(world: World, instrument: InstrumentRow, timeMs: number): number {
  const known = remembered(world)
  const key = timeMs * MOST_INSTRUMENTS + instrument.id
  const before = known.get(key)
  if (before !== undefined) return before
  const price = priceAt(world, instrument, timeMs)
  if (known.size >= KEPT) known.clear()
  known.set(key, price)
  return price
}

/** The same at an instant of which everybody is asked for, and which then is left behind. */
export function priceNow(world: World, instrument: InstrumentRow, atMs: number): number {
  const now = latest(world)
  if (now.atMs !== atMs) {
    now.atMs = atMs
    now.prices.clear()
  }
  const known = now.prices.get(instrument.id)
  if (known !== undefined) return known
  const price = priceAt(world, instrument, atMs)
  now.prices.set(instrument.id, price)
  return price
}

const latest = perWorld(() => ({ atMs: 0, prices: new Map<number, number>() }))

/** Keys stay safe integers. */
const MOST_INSTRUMENTS = 2_048
const KEPT = 200_000

const remembered = perWorld(() => new Map<number, number>())

/** 0 before there is any. */
function priceAt(world: World, instrument: InstrumentRow, timeMs: number): number {
  return markPx(world, instrument, timeMs) ?? 0
}
