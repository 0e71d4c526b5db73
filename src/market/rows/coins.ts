/** The coins of a world and the market of each. */

import type { InstrumentRow } from '../schema/schema.ts'
import { instrumentsOfTape } from '../world/listed-world.ts'
import { perListing, perWorld } from '../world/per-world.ts'
import { type Asset, assetOf } from './assets.ts'

export interface ListedCoin {
  asset: Asset
  instrument: InstrumentRow
}

/**
 * Coins by key, in listing order; builder dexes list shares and metals, which are none. A coin's
 * market is its perpetual, else spot.
 */
export const coinsOf = perListing(({ listed }) => byKey(listed))

/** Those of the tape, whatever was listed since: texts name the same ones always. */
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
