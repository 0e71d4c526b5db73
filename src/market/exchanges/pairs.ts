/**
 * The pairs that depth endpoints know, by dbKey: `<base>swap<quote>:<exchange>` for perpetuals,
 * `<base><quote>:<exchange>` for spot, all lower case.
 *
 * The tape's own venue is `hl` (`btcswapusdc:hl`, `purrusdc:hl`). Main-dex perpetuals are also
 * listed as `swapusdt` and spot `usdt` pairs on the other exchanges, spot-only assets as spot.
 */

import type { InstrumentRow } from '../schema/schema.ts'
import { perListing, perWorld } from '../world/per-world.ts'
import type { World } from '../world/world.ts'
import { EXCHANGES, type Exchange } from './exchanges.ts'

export interface Pair {
  instrument: InstrumentRow
  /** null for the tape's own venue. */
  exchange: Exchange | null
  market: 'swap' | 'spot'
}

/** All dbKeys, those of the tape's own venue first. */
export const dbKeys = (world: World): string[] => [...pairsOf(world).keys()]

/** Pairs by dbKey. */
export const pairsOf = perListing(({ listed }) => {
  const pairs = new Map<string, Pair>()
  const add = (key: string, pair: Pair) => pairs.has(key) || pairs.set(key, pair)
  for (const instrument of listed) {
    const market = instrument.kind === 'perp' ? 'swap' : 'spot'
    add(dbKey(instrument, market, instrument.quote, 'hl'), { instrument, exchange: null, market })
  }
  for (const exchange of EXCHANGES)
    for (const instrument of listedElsewhere(listed)) {
      const spot = dbKey(instrument, 'spot', 'usdt', exchange.key)
      const swap = dbKey(instrument, 'swap', 'usdt', exchange.key)
      if (instrument.kind === 'perp') add(swap, { instrument, exchange, market: 'swap' })
      add(spot, { instrument, exchange, market: 'spot' })
    }
  return pairs
})

/** dbKeys of the tape's own venue by instrument.id. */
export const ownDbKeys = perWorld((world) => {
  const own = [...pairsOf(world)].filter(([, { exchange }]) => exchange === null)
  return new Map(own.map(([key, { instrument }]) => [instrument.id, key]))
})

function dbKey({ base }: InstrumentRow, market: 'swap' | 'spot', quote: string, exchange: string) {
  return `${base}${market === 'swap' ? 'swap' : ''}${quote}:${exchange}`.toLowerCase()
}

/** Perpetuals come before spot, so that an asset with both is derived from the perpetual. */
function listedElsewhere(instruments: readonly InstrumentRow[]): InstrumentRow[] {
  const main = instruments.filter(({ dex }) => dex === '')
  return [
    ...main.filter(({ kind }) => kind === 'perp'),
    ...main.filter(({ kind }) => kind === 'spot'),
  ]
}
