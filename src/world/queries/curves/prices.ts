/** Mark prices at any instant; those that are asked for often are kept. */
import { Cache } from '../../cache.ts'
import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'
import { markPx } from '../purse.ts'

/** As `PurseReader` has it, at an instant that comes again: a point of a grid. Price units. */
export function gridPriceAt(world: World, instrument: InstrumentRow, timeMs: number): number {
  const key = timeMs * MOST_INSTRUMENTS + instrument.id
  return remembered(world).get(key, () => priceAt(world, instrument, timeMs))
}

/** The same at an instant of which everybody is asked for, and which then is left behind. */
export function priceNow(world: World, instrument: InstrumentRow, atMs: number): number {
  const prices = latest(world).get(atMs, () => new Map())
  const known = prices.get(instrument.id)
  if (known !== undefined) return known
  const price = priceAt(world, instrument, atMs)
  prices.set(instrument.id, price)
  return price
}

/** Of so many instants: a few sandboxes may be asked in turn. */
const LATEST = 4

const latest = perWorld(() => new Cache<number, Map<number, number>>(LATEST))

/** Keys stay safe integers. */
const MOST_INSTRUMENTS = 2_048
const KEPT = 200_000

const remembered = perWorld(() => new Cache<number, number>(KEPT))

/** 0 before there is any. */
function priceAt(world: World, instrument: InstrumentRow, timeMs: number): number {
  return markPx(world, instrument, timeMs) ?? 0
}
