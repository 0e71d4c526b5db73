/** The coins of a world and the market of each. */
import { perWorld } from '../per-world.ts'
import type { InstrumentRow } from '../schema.ts'
import { type Asset, assetOf } from './assets.ts'

export interface ListedCoin {
  asset: Asset
  instrument: InstrumentRow
}

/** Coins by key, in listing order. An asset's market is its main perpetual, then spot, then any. */
export const coinsOf = perWorld(({ instruments }) => {
  const coins = new Map<string, ListedCoin>()
  const rank = ({ dex, kind }: InstrumentRow) => (dex !== '' ? 2 : kind === 'perp' ? 0 : 1)
  for (const instrument of instruments) {
    const asset = assetOf(instrument.base)
    const known = coins.get(asset.key)
    if (!known || rank(instrument) < rank(known.instrument))
      coins.set(asset.key, { asset, instrument })
  }
  return coins
})
