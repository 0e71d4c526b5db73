/** Queries about coins (the service's documentation, Coin and Coin ticker). */
import type { Slices } from '../../clock/turns.ts'
import type { CoinItem, CoinProfile, CoinTicker, OlderCoinTicker } from '../records/coin.ts'

export interface CoinFacts {
  list(): CoinItem[]
  /** Unknown keys are left out. */
  tickers(coinKeys: string[]): Slices<CoinTicker[]>
  /** The same coins in the older form. */
  olderTickers(coinKeys: string[]): Slices<OlderCoinTicker[]>
  /** Unknown keys are left out. */
  profiles(coinKeys: string[]): CoinProfile[]
}
