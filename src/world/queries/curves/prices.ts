/** Mark prices and funding indexes at any instant; those that are asked for often are kept. */

import { type TapeMs, tapeMs } from '../../../clock/instant.ts'
import { type FundingIndex, type Px, ZERO } from '../../../decimal/quantity.ts'
import { columns } from '../../rows/columns.ts'
import { funding, type InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'
import { markPx } from '../purse.ts'

export interface Price {
  /** Zero before there is any. */
  px: Px
  fundingIndex: FundingIndex
}

/** Both, as `PurseReader` has them, at an instant that comes again: a point of a grid. */
export function gridPriceAt(world: World, instrument: InstrumentRow, timeMs: TapeMs): Price {
  const known = remembered(world)
  const key = timeMs * MOST_INSTRUMENTS + instrument.id
  const before = known.get(key)
  if (before) return before
  const price = priceAt(world, instrument, timeMs)
  if (known.size >= KEPT) known.clear()
  known.set(key, price)
  return price
}

/** The same at an instant of which everybody is asked for, and which then is left behind. */
export function priceNow(world: World, instrument: InstrumentRow, atMs: TapeMs): Price {
  const now = latest(world)
  if (now.atMs !== atMs) {
    now.atMs = atMs
    now.prices.clear()
  }
  const known = now.prices.get(instrument.id)
  if (known) return known
  const price = priceAt(world, instrument, atMs)
  now.prices.set(instrument.id, price)
  return price
}

const latest = perWorld(() => ({ atMs: tapeMs(0), prices: new Map<number, Price>() }))

/** Keys stay safe integers. */
const MOST_INSTRUMENTS = 2_048
const KEPT = 200_000

const remembered = perWorld(() => new Map<number, Price>())

function priceAt(world: World, instrument: InstrumentRow, timeMs: TapeMs): Price {
  const row = fundingRow(world).get(instrument.id, timeMs)
  return { px: markPx(world, instrument, timeMs) ?? ZERO, fundingIndex: row?.fundingIndex ?? ZERO }
}

const fundingRow = perWorld(({ db }) =>
  columns({ fundingIndex: funding.fundingIndex }).prepare<[instrument: number, atMs: TapeMs]>(
    db,
    `from funding where instrument = ? and timeMs <= ? order by timeMs desc, charged desc limit 1`,
  ),
)
