/** Features of the market as a whole (the service's documentation, Signals). */
import { Decimal, OneOf, type Static, TimeSDigits, Type, WithDefault } from '../schema.ts'

const exact = { additionalProperties: false }

/** The ratio of long to short accounts. */
export const LongShortRatio = Type.Object(
  {
    last: Decimal('present ratio'),
    last_day: Decimal('a day ago'),
    last_week: Decimal('a week ago'),
  },
  { ...exact, title: 'LongShortRatio' },
)
export type LongShortRatio = Static<typeof LongShortRatio>

/** A pair or an index of the navigation. */
export const NavItem = Type.Object(
  {
    key: Type.String({ description: 'dbKey of a pair, key of an index' }),
    key_type: Type.Union([Type.Literal(1), Type.Literal(3)], {
      description: '1 trading pair, 3 index',
    }),
    coin_show: Type.String({ description: 'ticker symbol; short name of an index' }),
    last: Type.String({
      pattern: '^-?\\d+(\\.\\d+)?$|^-$',
      description: 'last price or value; `-` for an index without one',
    }),
    coin_name: Type.String(),
    market_name: Type.String({ description: 'exchange; empty for an index' }),
    currency_str: Type.String({ description: 'currency of the price' }),
    trades: Type.Array(
      Type.Object(
        {
          time: TimeSDigits(),
          price: Decimal('price'),
          amount: Decimal('size, in the coin'),
          side: Type.Union([Type.Literal('buy'), Type.Literal('sell')]),
        },
        exact,
      ),
      { description: 'newest trades, newest first' },
    ),
  },
  { ...exact, title: 'NavItem' },
)
export type NavItem = Static<typeof NavItem>

/** A share in a trust that holds a coin. */
export const FundTrust = Type.Object(
  {
    key: Type.String(),
    show: Type.String({ description: 'ticker symbol' }),
    name: Type.String(),
    last: Decimal('price of a share, USD'),
    open: Decimal('first of the day'),
    high: Decimal('highest of the day'),
    low: Decimal('lowest of the day'),
    degree_24h: Decimal('change in 24 hours, percent'),
  },
  { ...exact, title: 'FundTrust' },
)
export type FundTrust = Static<typeof FundTrust>

/** The coins of trusts. */
export const TRUST_COINS = ['btc', 'ltc', 'eth', 'bch', 'xrp', 'xlm', 'zec', 'zen', 'etc'] as const
export type TrustCoin = (typeof TRUST_COINS)[number]

const Scale = Type.Object(
  {
    total: Decimal('holdings of the trust'),
    day_change: Decimal('change since the day before'),
    percent: Decimal('relative change; times 100 for percent'),
  },
  { ...exact, title: 'FundAssetScale' },
)

/** Holdings of trusts, by coin. */
export const FundScale = Type.Unsafe<FundScale>(
  Type.Object(Object.fromEntries(TRUST_COINS.map((coin) => [coin, Type.Optional(Scale)])), exact),
)
export type FundScale = { [Coin in TrustCoin]?: Static<typeof Scale> }

/** Liquidations of the last hour and the last day. */
export const LiquidationDetail = Type.Object(
  {
    liq1h: Decimal('value liquidated in the last hour'),
    liqLong1h: Decimal('that of long positions'),
    liqShort1h: Decimal('that of short positions'),
    liq24h: Decimal('value liquidated in the last 24 hours'),
    liqLong24h: Decimal('that of long positions'),
    liqShort24h: Decimal('that of short positions'),
    maxLiq: Decimal('largest of the 24 hours; 0 when there was none'),
    maxLiqMarket: Type.String({
      description: 'exchange of the largest; empty when there was none',
    }),
    liq24HMaxMarket: Type.String({
      description: 'key of the market with the most in 24 hours; empty when there was none',
    }),
    liq24HMaxTpKey: Type.String({
      description: 'pair with the most in 24 hours; empty when there was none',
    }),
  },
  { ...exact, title: 'LiquidationDetail' },
)
export type LiquidationDetail = Static<typeof LiquidationDetail>

/** A crypto-related stock. */
export const StockMarketItem = Type.Object(
  {
    key: Type.String({ description: '`i:<symbol>:<market>`' }),
    name: Type.String(),
    last: Decimal('last price'),
    degree: Decimal('change, percent'),
  },
  { ...exact, title: 'StockMarketItem' },
)
export type StockMarketItem = Static<typeof StockMarketItem>

/** One record or a list, by the answer to `stock-market-form`. */
export const StockMarketDetail = Type.Union(
  [Type.Array(StockMarketItem), StockMarketItem, Type.Null()],
  { title: 'StockMarketDetail' },
)

/** cn or en; Chinese by default. */
export const LanguageParameter = WithDefault(OneOf(['cn', 'en'], 'language'), 'cn')

/** cny or usd, with a default. */
export const CurrencyParameter = (usual: 'cny' | 'usd') =>
  WithDefault(OneOf(['cny', 'usd'], 'currency'), usual)
