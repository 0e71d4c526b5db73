import { contractOf } from './contract-size.ts'
import type { ContractSize, Importer, ImportOptions } from './importer.ts'
import { splitSymbol } from './market-symbol.ts'
import { rawMarketOf } from './raw-market.ts'
import { RawStreamReader } from './raw-stream.ts'

/**
 * A futures exchange's raw stream of contracts that are settled in coins: sizes are contracts of a
 * fixed number of dollars, 100 for BTC and 10 for others, and become coins at their price.
 *
 * @see https://developers.binance.com/docs/derivatives/coin-margined-futures
 */
export const coinm: Importer = {
  name: 'coinm',
  order: 'sequence',
  container: 'lines',
  recognises: (sample) => rawMarketOf(sample) === 'coinm',
  createReader: (options) => new RawStreamReader(MARKET, options),
}

const MARKET = {
  split: splitSymbol,
  contract: (options: ImportOptions, symbol: string, coin: string): ContractSize =>
    contractOf(options, symbol, coin) ?? { size: coin.startsWith('BTC') ? '100' : '10', of: 'usd' },
}
