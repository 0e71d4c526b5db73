/** Mark prices at any instant; those that are used often are cached. */
import type { TapeMs } from '../../../../clock/instant.ts'
import { type Px, ZERO } from '../../../../decimal/quantity.ts'
import { Cache } from '../../../cache.ts'
import { perWorld } from '../../../per-world.ts'
import { markPx } from '../../../rows/account-state.ts'
import type { InstrumentRow } from '../../../schema.ts'
import type { World } from '../../../world.ts'

/** As `AccountStateReader` has it, at an instant that comes again: a point of a grid. */
export function gridQuoteAt(world: World, instrument: InstrumentRow, timeMs: TapeMs): Px {
  const key = timeMs * MOST_INSTRUMENTS + instrument.id
  return quoteCache(world).get(key, () => quoteAt(world, instrument, timeMs))
}

/** The same at an instant that is used once for all traders and not again. */
export function quoteNow(world: World, instrument: InstrumentRow, atMs: TapeMs): Px {
  const prices = latestQuotes(world).get(atMs, () => new Map())
  const known = prices.get(instrument.id)
  if (known !== undefined) return known
  const price = quoteAt(world, instrument, atMs)
  prices.set(instrument.id, price)
  return price
}

/** Of so many instants: a few sandboxes may take turns. */
const LATEST = 4

const latestQuotes = perWorld(() => new Cache<TapeMs, Map<number, Px>>(LATEST))

/** Keys stay safe integers. */
const MOST_INSTRUMENTS = 2_048
const CACHE_LIMIT = 200_000

const quoteCache = perWorld(() => new Cache<number, Px>(CACHE_LIMIT))

/** Zero before there is any. */
function quoteAt(world: World, instrument: InstrumentRow, timeMs: TapeMs): Px {
  return markPx(world, instrument, timeMs) ?? ZERO
}
