/** The coins of a world and the market of each. */

import type { InstrumentRow } from '../schema/schema.ts'
import { perListing, perWorld } from '../world/cache.ts'
import { instrumentsOfTape } from '../world/market-standing.ts'
import { type Asset, assetOf } from './assets.ts'

export interface ListedCoin {
  asset: Asset
  instrument: InstrumentRow
}

/**
 * Coins by key, in listing order; builder dexes list shares and metals, which are excluded. A
 * coin's market is its perpetual, else spot.
 */
export const coinsOf = perListing(({ listed }) => byKey(listed))

/** Coins of the tape, without later listings: texts always name the same ones. */
export const coinsOfTape = perWorld((world) => byKey(instrumentsOfTape(world)))

function byKey(instruments: readonly InstrumentRow[]): ReadonlyMap<string, ListedCoin> {
  const coins = new Map<string, ListedCoin>()
  const rank = ({ kind }: InstrumentRow) => (kind === 'perp' ? 0 : 1)
  for (const instrument of instruments) {
    if (instrument.dex !== '') continue
    const asset = assetOf(instrument.base)
    const known = coins.get(asset.key)
    if (!known || rank(instrument) < rank(known.instrument))
      coins.set(asset.key, { asset, instrument })
  }
  return coins
}
