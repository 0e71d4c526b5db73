/**
 * Crypto-related stocks; numbers are JSON numbers here (the service's documentation, Crypto stock).
 */
import { Limit, type Static, TimeSOrMs, Type, WithDefault } from '../schema.ts'

const exact = { additionalProperties: false }

/** The price of a stock and its session: the present one, or the last of a closed exchange. */
export const StockQuote = Type.Object(
  {
    ticker: Type.String({ description: '`i:<symbol>:<market>` (question stock-ticker-form)' }),
    company_name: Type.String(),
    last_price: Type.Number({ description: 'in the currency of its market' }),
    open: Type.Number({ description: 'first price of the session' }),
    close: Type.Number({ description: 'last price of the session so far' }),
    high: Type.Number({ description: 'highest of the session' }),
    low: Type.Number({ description: 'lowest of the session' }),
    volume: Type.Number({ description: 'shares traded in the session' }),
    market_cap: Type.Number({ description: 'last price x shares' }),
    timestamp: TimeSOrMs('time of the last price'),
    open_today: Type.Optional(Type.Number({ description: 'first price of the session' })),
    start_ts: Type.Optional(TimeSOrMs('beginning of the session')),
    end_ts: Type.Optional(TimeSOrMs('end of the session')),
  },
  { ...exact, title: 'StockQuote' },
)
export type StockQuote = Static<typeof StockQuote>

/** The company behind a stock. */
export const Company = Type.Object(
  {
    company_name: Type.String(),
    ticker: Type.String({ description: '`i:<symbol>:<market>` (question stock-ticker-form)' }),
    market: Type.String({ description: 'where it is listed' }),
    country_region: Type.String(),
    description: Type.String({ description: 'what it does' }),
    announcement: Type.String({ description: 'its last announcement; empty without any' }),
    fdv: Type.Number({ description: 'last price x maximum number of shares' }),
    market_cap: Type.Number({ description: 'last price x shares' }),
    annual_high: Type.Number({ description: 'highest of 52 weeks' }),
    annual_low: Type.Number({ description: 'lowest of 52 weeks' }),
  },
  { ...exact, title: 'Company' },
)
export type Company = Static<typeof Company>

/** A stock with its change of the day. */
export const Gainer = Type.Object(
  {
    symbol: Type.String({ description: 'ticker symbol, such as MSTR' }),
    name: Type.String(),
    price: Type.Number({ description: 'last price' }),
    change: Type.Number({ description: 'change since the last price of the session before' }),
    change_rate: Type.Number({ description: 'the same in percent (question stock-change-rate)' }),
    volume: Type.Integer({ description: 'shares traded in the session' }),
    market_cap: Type.Integer({ description: 'last price x shares' }),
    market: Type.Union([Type.Literal('US'), Type.Literal('HK')]),
    currency: Type.Union([Type.Literal('USD'), Type.Literal('HKD')]),
    update_time: TimeSOrMs('time of the last price'),
  },
  { ...exact, title: 'Gainer' },
)
export type Gainer = Static<typeof Gainer>

/** The ranked markets. */
export const gainerParameters = {
  us_stock: WithDefault(Type.Boolean({ description: 'stocks of the United States' }), false),
  hk_stock: WithDefault(Type.Boolean({ description: 'stocks of Hong Kong' }), false),
  limit: Limit({ default: 50 }),
}
