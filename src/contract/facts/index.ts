/** The interface of this module. */

export type { Facts, Moment } from './../facts.ts'
export type { CoinFacts } from './coin.ts'
export type { ContentFacts, FlashQuery, ListingQuery, PageQuery } from './content.ts'
export type {
  EstimatedLiquidationQuery,
  FuturesFacts,
  HistoryQuery,
  OpenInterestListQuery,
} from './futures.ts'
export type { IndicatorFacts, IndicatorQuery, PairKlineQuery } from './indicator.ts'
export type { MarketIndexFacts } from './market-index.ts'
export type { MixFacts } from './mix.ts'
export type { AccountsFacts } from './perpdex/accounts.ts'
export type { AssetContextsFacts } from './perpdex/asset-contexts.ts'
export type { BookQuery, BooksFacts } from './perpdex/books.ts'
export type { CandleQuery, CandlesFacts } from './perpdex/candles.ts'
export type { CompletedTradesFacts } from './perpdex/completed-trades.ts'
export type { FillsFacts } from './perpdex/fills.ts'
export type { LiquidationsFacts } from './perpdex/liquidations.ts'
export type { MarketFacts } from './perpdex/market.ts'
export type { OpenInterestFacts } from './perpdex/open-interest.ts'
export type { OrderFlowFacts, TakerKlineQuery } from './perpdex/order-flow.ts'
export type { OrdersFacts } from './perpdex/orders.ts'
export type { PnlCurvesFacts } from './perpdex/pnl-curves.ts'
export type { PositionIntervals, PositionSelector, PositionsFacts } from './perpdex/positions.ts'
export type {
  FoundTraders,
  Page,
  SmartMoneyQuery,
  SmartMoneySort,
  TradersFacts,
} from './perpdex/traders.ts'
export type { TwapsFacts } from './perpdex/twaps.ts'
export type { TimeRange, UsersFacts } from './perpdex/users.ts'
export type { VenueFacts } from './perpdex/venue.ts'
export type { WhaleQuery, WhalesFacts } from './perpdex/whales.ts'
export type { SignalFacts } from './signal.ts'
export type { StockFacts } from './stock.ts'
