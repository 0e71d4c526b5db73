import type { Importer } from './importer.ts'
import { splitPair } from './market-symbol.ts'
import { rawMarketOf } from './raw-market.ts'
import { RawStreamReader } from './raw-stream.ts'

/**
 * A spot exchange's raw stream: books are chained by `U` and `u` alone, snapshots and best prices
 * have no time. `BTCUSDT` is the pair `BTC/USDT`.
 *
 * @see https://developers.binance.com/docs/binance-spot-api-docs/web-socket-streams
 */
export const spot: Importer = {
  name: 'spot',
  order: 'sequence',
  container: 'lines',
  recognises: (sample) => rawMarketOf(sample) === 'spot',
  createReader: (options) => new RawStreamReader(MARKET, options),
}

const MARKET = { split: splitPair, contract: () => null }
