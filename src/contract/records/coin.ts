import { Decimal, type Static, Type } from '../schema.ts'

/** A coin of the coin list (the service's documentation, Coin). */
export const CoinItem = Type.Object(
  {
    coin_key: Type.String({ description: 'primary key' }),
    hash_key: Type.String(),
    show: Type.String({ description: 'ticker symbol' }),
    cn_name: Type.String(),
    en_name: Type.String(),
  },
  { title: 'CoinItem', additionalProperties: false },
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

/** Fields that the older form does not have. */
type Newer = Extract<TickerField, `degree_7day_${string}` | `fundNetIn_${string}`>

const rates = ['usdt_funding_rate', 'usd_funding_rate'] as const
type RateField = (typeof rates)[number]

const isOlder = (name: TickerField): name is Exclude<TickerField, Newer> =>
  !/^(degree_7day|fundNetIn)/.test(name)

const decimals = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, Decimal(name)])) as Record<
    Name,
    ReturnType<typeof Decimal>
  >

/**
 * A coin's ticker: price, change in percent, market cap, turnover and net inflow (the service's
 * documentation, Coin ticker).
 */
export const CoinTicker = Type.Object(
  { coin_key: Type.String(), ...decimals(TICKER_FIELDS) },
  { title: 'CoinTicker', additionalProperties: false },
)
export type CoinTicker = { coin_key: string } & Record<TickerField, string>

/** The older form: no 7-day changes, no net inflow, but funding rates. */
export const OlderCoinTicker = Type.Object(
  { coin_key: Type.String(), ...decimals(TICKER_FIELDS.filter(isOlder)), ...decimals(rates) },
  { title: 'OlderCoinTicker', additionalProperties: false },
)
export type OlderCoinTicker = Omit<CoinTicker, Newer> & Record<RateField, string>

/** The profile of a coin (the service's documentation, Coin profile); empty text without data. */
export const CoinProfile = Type.Object(
  {
    coin_key: Type.String(),
    show: Type.String({ description: 'ticker symbol' }),
    cnName: Type.String(),
    enName: Type.String(),
    describe: Type.String({ description: 'what it is' }),
    whitePaper: Type.String({ description: 'address of the white paper' }),
    officialUrl: Type.String({ description: 'address of its site' }),
    publishAmount: Type.String({ description: 'maximum supply, in the coin' }),
    distribution: Type.Array(
      Type.Object(
        {
          ico: Type.String({ description: 'purpose of the part' }),
          foundation: Type.String({ description: 'percent of all' }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'CoinProfile', additionalProperties: false },
)
export type CoinProfile = Static<typeof CoinProfile>
