/** The operations of the group `coin`. Written by `bun run generate`. */
// biome-ignore-all format: as it is generated
// biome-ignore-all assist/source/organizeImports: as it is generated
import type { CallGroup, CallOptions, NoInput } from '../requests/request.ts'
import type {
  CoinItem,
  CoinProfile,
  CoinTicker,
  OlderCoinTicker,
} from './records.ts'

/** Requests of `coin`. */
export interface CoinCalls {
  /**
   * Coin profiles. Description of a coin, its white paper and site, its supply and the distribution
   * of the supply.
   *
   * `GET /coin/config`.
   */
  config(input: {
    query: {
      /** coin keys, comma-separated; 100 at most */
      coin_list: string
    }
  }, options?: CallOptions): Promise<CoinProfile[]>

  /**
   * Coin list.
   *
   * `GET /coin`.
   */
  list(input?: NoInput, options?: CallOptions): Promise<CoinItem[]>

  /**
   * Coin tickers.
   *
   * `GET /coin/ticker`.
   */
  ticker(input: {
    query: {
      /** coin keys, comma-separated; 100 at most */
      coin_list: string
    }
  }, options?: CallOptions): Promise<(CoinTicker | OlderCoinTicker)[]>
}

/** How to ask for it. */
export const coin: CallGroup<CoinCalls> = {
  config: 'GET /coin/config',
  list: 'GET /coin',
  ticker: 'GET /coin/ticker',
}
