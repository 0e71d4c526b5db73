import { contractOf } from './contract-size.ts'
import type { Importer } from './importer.ts'
import { splitSymbol } from './market-symbol.ts'
import { rawMarketOf } from './raw-market.ts'
import { RawStreamReader } from './raw-stream.ts'

/**
 * A futures exchange's raw stream of contracts in dollars: sizes are in coins, books are chained by
 * `pu`.
 *
 * @see https://developers.binance.com/docs/derivatives/usds-margined-futures
 */
export const usdm: Importer = {
  name: 'usdm',
  order: 'sequence',
  container: 'lines',
  recognises: (sample) => rawMarketOf(sample) === 'usdm',
  createReader: (options) => new RawStreamReader(MARKET, options),
}

const MARKET = {
  split: splitSymbol,
  contract: contractOf,
}
