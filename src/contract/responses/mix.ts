/** Parameters and answers of the operations for the market as a whole. */
import type { Slices } from '../../clock/turns.ts'
import type { Facts } from '../facts.ts'
import { type StockMarketDetail, TRUST_COINS, type TrustCoin } from '../records/mix.ts'
import type { Static } from '../schema.ts'

/** The stock market in the form in force. */
export function* stockMarketDetail({
  mix,
  moment,
}: Pick<Facts, 'mix' | 'moment'>): Slices<Static<typeof StockMarketDetail>> {
  const stocks = yield* mix.stocks()
  return moment.answers['stock-market-form'] === 'list' ? stocks : (stocks[0] ?? null)
}

/** The known coins of a comma-separated text. */
export const trustCoins = (text: string): TrustCoin[] => {
  const parameters = text.split(',').map((one) => one.trim().toLowerCase())
  return TRUST_COINS.filter((coin) => parameters.includes(coin))
}

interface LiquidationQuery {
  currency: 'cny' | 'usd'
  type?: number | undefined
  coinKey?: string | undefined
  marketKey?: string | undefined
}

/** The keys in force: type 1 is by coin, type 2 by market. */
export const liquidationQueryOf = ({ currency, type, coinKey, marketKey }: LiquidationQuery) => ({
  currency,
  coinKey: type === 2 ? undefined : coinKey,
  marketKey: type === 1 ? undefined : marketKey,
})
