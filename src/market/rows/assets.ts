/**
 * Asset facts that no tape contains: key, names and circulating supply (seed/coins.json).
 *
 * Supplies are fixed round numbers near those of early 2026, so that a market cap is price x supply
 * and stays comparable between runs. An unlisted asset is named by its symbol and has a supply of
 * one thousand million.
 */
import coins from '../../../seed/coins.json' with { type: 'json' }
import { randomSource } from '../../random/random-source.ts'

export interface Asset {
  /** Ticker symbol: `BTC`. */
  show: string
  /** `bitcoin` */
  key: string
  /** 32 hex digits derived from the key. */
  hashKey: string
  cnName: string
  enName: string
  /** Whole units in circulation. */
  supply: number
  /** Multiplier to the coins of its profile: `kPEPE` is a thousand PEPE. */
  unit: number
}

/** Facts about a base asset. `kPEPE` is PEPE counted in thousands. */
export function assetOf(base: string): Asset {
  const own = { key: base.toLowerCase(), enName: base, cnName: base, supply: UNKNOWN_SUPPLY }
  const known = KNOWN_ASSETS[base.toUpperCase()] ?? own
  return { show: base, unit: 1, ...known, hashKey: randomSource(known.key, 'hash key').hex(32) }
}

const UNKNOWN_SUPPLY = 1_000_000_000

const KNOWN_ASSETS: Record<string, KnownAsset> = coins

type KnownAsset = Omit<Asset, 'show' | 'hashKey' | 'unit'> & { unit?: number }
