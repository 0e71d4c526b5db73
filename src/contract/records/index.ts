/** The interface of this module. */

export { AddressState, NativeState, PerpState } from './account-state.ts'
export { ActiveOrderStats, TopOpenOrder } from './active-order.ts'
export { ActiveAsset, PerpContext, PerpDex, SpotContext } from './asset-context.ts'
export { Bbo, L2Book } from './book.ts'
export { BookLevel } from './book-level.ts'
export { Candle, TakerCandle } from './candle.ts'
export { CoinItem, CoinProfile, CoinTicker, OlderCoinTicker } from './coin.ts'
export {
  AddressStat,
  BestTrade,
  CoinPerformance,
  CompletedTrade,
  ObservedCompletedTrade,
} from './completed-trade.ts'
export {
  AiInsight,
  Columnist,
  IndustryFlash,
  type Language,
  ListingFlash,
  NewsDetail,
  Newsflash,
  NewsItem,
  RssItem,
} from './content.ts'
export { FullDepth, GroupedDepth, LatestDepth } from './depth.ts'
export { LevelConfig } from './distributor.ts'
export { type FeeSchedule, UserFees } from './fees.ts'
export {
  AddressFill,
  BuilderFill,
  Fill,
  FillInForm,
  SliceFill,
  TopTrade,
  Trade,
  UserFill,
} from './fill.ts'
export { FundingPayment, FundingRate, PredictedFunding } from './funding.ts'
export {
  EstimatedLiquidation,
  HistoryCandle,
  LiquidationBucket,
  type LiquidationCell,
} from './futures-history.ts'
export { FuturesInterest } from './futures-interest.ts'
export {
  INDICATOR_KEYS,
  INDICATORS,
  type IndicatorKey,
  type IndicatorRecord,
  type KlineValues,
} from './indicator.ts'
export { LedgerUpdate } from './ledger.ts'
export {
  CoinLiquidationStat,
  LiquidatedPosition,
  LiquidationColumn,
  LiquidationMap,
  LiquidationStat,
} from './liquidation.ts'
export { Currency, IndexInfo, IndexItem, IndexPrice } from './market-index.ts'
export { Meta, SpotMeta } from './meta.ts'
export {
  FundScale,
  FundTrust,
  LiquidationDetail,
  LongShortRatio,
  NavItem,
  StockMarketItem,
  type TrustCoin,
} from './mix.ts'
export { CoinInterest, InterestPoint, InterestSummary } from './open-interest.ts'
export {
  FilledOrder,
  FrontendOrder,
  NestedOrder,
  OpenOrder,
  Order,
  OrderInForm,
  OrderUpdate,
} from './order.ts'
export { BookSummary, TakerDelta, TakerKline } from './order-flow.ts'
export { HistoricalOrder, OrderStatus } from './order-history.ts'
export {
  AddressDrawdown,
  AddressNetFlow,
  AddressPnls,
  CurveScope,
  CurveWindow,
  Drawdown,
  NetFlow,
  PnlCurve,
  PortfolioCurve,
} from './pnl-curve.ts'
export { type PortfolioWindow, VenuePortfolio } from './portfolio.ts'
export {
  PositionExecutions,
  PositionHistory,
  PositionPnls,
  type PositionSnapshot,
} from './position-history.ts'
export {
  ChangeSignal,
  type ChangeType,
  STRATEGY_KEYS,
  STRATEGY_MAPPING,
  type StrategyKey,
  StrategyPage,
  StrategyRow,
} from './signal.ts'
export { AlertSetItem, SignalAlert } from './signal-alert.ts'
export { SpotState } from './spot-state.ts'
export { Company, Gainer, StockQuote } from './stock.ts'
export { NewSubKey, SubKey } from './sub-key.ts'
export { TraderAccount, TraderStatistics } from './trader.ts'
export {
  DEFAULT_TRADER_COLUMNS,
  type FilterOperator,
  FoundTrader,
  TRADER_COLUMNS,
  type TraderColumn,
  type TraderFilter,
  type TraderSearchQuery,
} from './trader-search.ts'
export { AddressTwap, TwapImpact, TwapState, TwapWall } from './twap.ts'
export { WhaleDirections, WhaleEvent, WhalePosition, WhaleRatio } from './whale.ts'
