import { Decimal, type Static, Type } from '../schema.ts'

/** A coin of the coin list (spec, Coin). */
export const CoinItem = Type.Object(
  {
    coin_key: Type.String({ description: 'primary key' }),
    hash_key: Type.String(),
    show: Type.String({ description: 'ticker symbol' }),
    cn_name: Type.String(),
    en_name: Type.String(),
  },
  { additionalProperties: false },
)
export type CoinItem = Static<typeof CoinItem>

const TICKER_FIELDS = [
  'price_cny',
  'price_usd',
  'degree_24h_cny',
  'degree_24h_usd',
  'degree_7day_cny',
  'degree_7day_usd',
  'supply_cny',
  'supply_usd',
  'trade_24h_cny',
  'trade_24h_usd',
  'fundNetIn_24h_cny',
  'fundNetIn_24h_usd',
  'vol_24h',
] as const

type TickerField = (typeof TICKER_FIELDS)[number]

/**
 * A coin's ticker: price, change in percent, market cap, turnover and net inflow (spec, Coin
 * ticker).
 */
export const CoinTicker = Type.Object(
  {
    coin_key: Type.String(),
    ...(Object.fromEntries(TICKER_FIELDS.map((name) => [name, Decimal(name)])) as Record<
      TickerField,
      ReturnType<typeof Decimal>
    >),
  },
  { additionalProperties: false },
)
export type CoinTicker = { coin_key: string } & Record<TickerField, string>
