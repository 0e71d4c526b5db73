/** Questions about coins (spec, Coin and Coin ticker). */
import type { CoinItem, CoinTicker } from '../records/coin.ts'

export interface CoinsFacts {
  list(): CoinItem[]
  /** Unknown keys are left out. */
  tickers(coinKeys: string[]): CoinTicker[]
}
