/** Queries about traders: comparison and search. */

import type { Slices } from '../../../clock/turns.ts'
import type {
  AddressState,
  LedgerUpdate,
  NativeState,
  PerpState,
  SpotState,
  UserFees,
  VenuePortfolio,
} from '../../records/account-state.ts'
import type {
  ActiveAsset,
  CoinInterest,
  InterestPoint,
  InterestSummary,
  Meta,
  PerpContext,
  PerpDex,
  SpotContext,
  SpotMeta,
} from '../../records/asset-context.ts'
import type { Bbo, L2Book } from '../../records/book.ts'
import type { Candle, TakerCandle } from '../../records/candle.ts'
import type {
  AddressDrawdown,
  AddressNetFlow,
  AddressPnls,
  AddressStat,
  BatchAddressStat,
  BestTrade,
  CoinPerformance,
  CompletedTrade,
  CurveScope,
  CurveWindow,
  Drawdown,
  NetFlow,
  ObservedCompletedTrade,
  PnlCurve,
  PortfolioCurve,
  PositionExecutions,
  PositionHistory,
  PositionPnls,
  TradePage,
} from '../../records/completed-trade.ts'
import type {
  AddressFill,
  AddressTwap,
  BuilderFill,
  Fill,
  FillInForm,
  SliceFill,
  TopTrade,
  Trade,
  TwapChange,
  TwapImpact,
  TwapState,
  TwapWall,
  UserFill,
} from '../../records/fill.ts'
import type { FundingPayment, FundingRate, PredictedFunding } from '../../records/funding.ts'
import type {
  CoinLiquidationStat,
  LiquidatedPosition,
  LiquidationColumn,
  LiquidationMap,
  LiquidationStat,
} from '../../records/liquidation.ts'
import type {
  ActiveOrderStats,
  FrontendOrder,
  OpenOrder,
  OrderInForm,
  OrderUpdate,
  TopOpenOrder,
} from '../../records/order.ts'
import type { BookSummary, TakerDelta, TakerKline } from '../../records/order-flow.ts'
import type { HistoricalOrder, OrderStatus } from '../../records/order-history.ts'
import type {
  FoundTrader,
  TraderAccount,
  TraderSearchQuery,
  TraderStatistics,
} from '../../records/trader-search.ts'
import type { WhaleDirections, WhaleEvent, WhalePosition, WhaleRatio } from '../../records/whale.ts'
import type { Refusal } from '../../refusal.ts'
import type { Static } from '../../schema.ts'

/** The sort key of a search for smart money, largest first. */
export type SmartMoneySort =
  | 'win-rate'
  | 'account-balance'
  | 'ROI'
  | 'pnl'
  | 'position-count'
  | 'profit-count'
  | 'last-operation'
  | 'avg-holding-period'
  | 'current-position'

export interface SmartMoneyQuery {
  pageNum: number
  pageSize: number
  period: Days
  sort: SmartMoneySort
  pnlList: boolean
}

/** A page of a list. */
export interface Page<T> {
  list: T[]
  total: number
  pageNum: number
  pageSize: number
}

/** A page of the traders found, and their number. */
export interface FoundTraders<T = FoundTrader> {
  list: T[]
  total: number
}

export interface TradersFacts {
  /** In the requested order; zeros for an address without activity. */
  accounts(addresses: string[]): TraderAccount[]
  statistics(addresses: string[], days: Days, hasPnlList: boolean): TraderStatistics[]
  /** A bare list or a page, by the question `smart-find-form`. */
  smartMoney(query: SmartMoneyQuery): Slices<TraderStatistics[] | Page<TraderStatistics>>
  /** Refuses an unknown field and a comparison of the wrong type. */
  discover(query: TraderSearchQuery): Slices<FoundTraders> | Refusal<'invalid'>
  /** As of an earlier instant; as of now for a future one. */
  discoverAt(
    timeMs: number | undefined,
    query: TraderSearchQuery,
  ): Slices<FoundTraders<FoundTrader & { time: number }>> | Refusal<'invalid'>
}

// Queries about one account, in the venue's own form.

/** Both instants are included; open where one is left out. */
export interface TimeRange {
  startTimeMs?: number | undefined
  endTimeMs?: number | undefined
}

export interface UsersFacts {
  isKnown(address: string): boolean
  /** Whose sub-account it is; null where it is none. */
  masterOf(address: string): string | null
  /** Addresses of its sub-accounts that have done anything. */
  subAccountsOf(address: string): string[]
  /** Whether its perpetuals and spot share one margin. */
  isUnified(address: string): boolean
  /** Its staked tokens, and its share of the vault. */
  savings(address: string): {
    stakedTokens: string
    vault: { vaultAddress: string; equity: string; lockedUntilTimestamp: number } | null
  }
  /** Tokens that all accounts have staked, which is all that the one validator holds. */
  totalStaked(): Slices<number>
  /** Without balances for an unknown address. */
  spot(address: string): SpotState
  fees(address: string): Slices<UserFees>
  /** Changes of status, newest first, at most `limit`. */
  orderHistory(address: string, limit: number): HistoricalOrder[]
  /** By id or by the client's own id, `0x` and 32 hex digits. */
  orderStatus(address: string, oid: number | string): OrderStatus
  /** Oldest first, at most `limit`. */
  funding(address: string, span: TimeRange, limit: number): Slices<FundingPayment[]>
  /** Oldest first, at most `limit`. */
  ledger(address: string, span: TimeRange, limit: number): LedgerUpdate[]
  /** Net deposits so far, USD. */
  netDeposits(address: string): string
  portfolio(address: string): Slices<VenuePortfolio>
  /** Fills of TWAPs, newest first, at most `limit`. */
  twapSlices(address: string, limit: number): { fill: UserFill; twapId: number }[]
  /** null for a coin that is no perpetual or has no price. */
  activeAsset(address: string, coin: string): ActiveAsset | null
  /** Volume so far in USD, and the number of orders that it allows. */
  rateLimit(address: string): {
    cumVlm: string
    nRequestsUsed: number
    nRequestsCap: number
    nRequestsSurplus: number
  }
}

/** Queries about fills and trades. */
export interface FillsFacts {
  /** Oldest first: the latest `limit` fills, ascending by time. */
  ofAddress(address: string, query: { coin?: string | undefined; limit: number }): FillInForm[]
  ofOrder(oid: number): FillInForm[]
  /** Oldest first. The form is an open question (`twap-fill-form`). */
  ofTwap(twap: number): SliceFill[] | Fill[] | AddressFill[]
  /** Newest first: fills through a builder, worth at least `minUsd`. */
  ofBuilder(
    builder: string,
    query: { coin?: string | undefined; minUsd: number; limit: number },
  ): Slices<BuilderFill[]>
  /** By value, largest first; only the taker's side of each trade. */
  topTrades(query: { coin: string; intervalMs: number; limit: number }): Slices<TopTrade[]>
  /** Newest first: the first push of a subscription. */
  native(address: string, limit: number): UserFill[]
  /**
   * Oldest first unless `reversed`; of the 10,000 most recent ones. `aggregated` merges the partial
   * fills of one crossing order and instant.
   */
  nativeBetween(
    address: string,
    query: {
      startTimeMs: number
      endTimeMs?: number | undefined
      limit: number
      reversed?: boolean | undefined
      aggregated?: boolean | undefined
    },
  ): Slices<UserFill[]>
}

/** Queries about perpetual positions from open to flat: completed trades. */
export interface CompletedTradesFacts {
  /** Newest first. */
  latest(address: string, query: { coin?: string | undefined; limit: number }): CompletedTrade[]
  /** Newest first by closing; a page or the observed form (`completed-by-time-form`). */
  between(
    address: string,
    query: {
      coin?: string | undefined
      fromMs: number | undefined
      toMs: number | undefined
      pageNum: number
      pageSize: number
    },
  ): TradePage | ObservedCompletedTrade[]
  /** By PnL, best first. `days` 0 is all time, here and below. */
  best(address: string, days: number, limit: number): BestTrade[]
  /** By total PnL, best first. */
  byCoin(address: string, days: number, limit: number): CoinPerformance[]
  stat(address: string, days: number): AddressStat
  stats(addresses: string[], days: number): BatchAddressStat[]
}

/** Queries about orders. */
export interface OrdersFacts {
  /** Newest first. */
  latest(address: string, query: { coin?: string | undefined; limit: number }): OrderInForm[]
  /** Newest first, only those with something filled. */
  filledLatest(address: string, query: { coin?: string | undefined; limit: number }): OrderInForm[]
  byId(oid: string): OrderInForm | null
  /** null when it does not exist or is not filled at all. */
  filledById(oid: string): OrderInForm | null
  /** Newest first. `dex` empty for the main dex. */
  open(address: string, dex: string): OpenOrder[]
  frontendOpen(address: string, dex: string): FrontendOrder[]
  /** Changes at this very instant: placed, partly filled, ended; by id. */
  updates(address: string, dex: string): OrderUpdate[]
  /** By value, largest first; those worth at least `minUsd`, a decimal. */
  largestOpen(query: OpenOrdersQuery & { minUsd: string; limit: number }): Slices<TopOpenOrder[]>
  /** An order worth `whaleUsd` or more, a decimal, is a whale's. */
  activeStats(query: OpenOrdersQuery & { whaleUsd: string }): Slices<ActiveOrderStats>
}

interface OpenOrdersQuery {
  /** All coins by default. */
  coin?: string | undefined
}

// Queries about one position over its life.

/** The open position, or one by the exact instants of its life. */
export type PositionSelector =
  | { address: string; coin: string; at: 'open' }
  | {
      address: string
      coin: string
      at: { startMs?: number | undefined; endMs?: number | undefined }
    }

export interface PositionIntervals {
  interval: string
  /** The number of intervals, the newest, oldest first. */
  limit: number
}

/** null when there is no such position. */
export interface PositionsFacts {
  history(which: PositionSelector): PositionHistory | null
  pnls(which: PositionSelector, buckets: PositionIntervals): PositionPnls | null
  executions(which: PositionSelector, buckets: PositionIntervals): PositionExecutions | null
}

// Queries about the value and PnL of accounts over time.

/** Days back from now; 0 is all time. */
type Days = number

export interface PnlCurvesFacts {
  /** Empty curves for an address without activity. */
  portfolio(address: string, window: CurveWindow): PortfolioCurve
  /** Empty for an address without activity. */
  pnls(address: string, days: Days, scope: CurveScope): PnlCurve
  batchPnls(addresses: string[], days: Days, scope: CurveScope): AddressPnls[]
  /** Of perpetual accounts. Zeros for an address without activity. */
  drawdown(address: string, days: Days): Drawdown
  batchDrawdown(addresses: string[], days: Days): AddressDrawdown[]
  netFlow(address: string, days: Days): NetFlow
  batchNetFlow(addresses: string[], days: Days): AddressNetFlow[]
}

/** Queries about candles. */
export interface CandleQuery {
  coin: string
  interval: string
  startTimeMs: number
  endTimeMs?: number | undefined
  /** The form of an interval without trades: left out, or a flat candle at the last price. */
  quiet?: 'leftOut' | 'flat'
}

export interface CandlesFacts {
  /**
   * Oldest first; the first is the one that contains startTimeMs. null for an unknown coin. There
   * is no candle before the first trade.
   */
  between(query: CandleQuery): Slices<Candle[] | null>
  /**
   * The candle of the interval that contains `timeMs`, as of now; null when it holds no trade.
   */
  at(coin: string, interval: string, timeMs: number): TakerCandle | null
  /** The newest candle that holds a trade. */
  last(coin: string, interval: string): TakerCandle | null
}

/** Queries about whales: positions worth more than 1,000,000 USD. */
export interface WhaleQuery {
  coin?: string | undefined
  dir?: 'long' | 'short' | undefined
  /** By unrealised PnL. */
  npnlSide?: 'profit' | 'loss' | undefined
  /** By funding: profit when it was received. */
  frSide?: 'profit' | 'loss' | undefined
  topBy: 'position-value' | 'margin-balance' | 'create-time' | 'profit' | 'loss'
  take: number
}

export interface WhalesFacts {
  openPositions(query: WhaleQuery): Slices<WhalePosition[]>
  /** Newest first. */
  latestEvents(query: { coin?: string | undefined; limit: number }): Slices<WhaleEvent[]>
  directions(query: { coin?: string | undefined }): WhaleDirections
  /** The latest `limit` instants, `intervalMs` apart; their order is an open question. */
  longRatios(query: { intervalMs: number; limit: number }): Slices<WhaleRatio[]>
}

/** Queries about liquidations on the perpetual venue. */
export interface LiquidationsFacts {
  /** Over the last `interval`; all coins by default. */
  stat(query: { coin?: string | undefined; interval?: string | undefined }): LiquidationStat
  /** Only coins with liquidations, by value, largest first. */
  byCoin(query: { interval?: string | undefined }): CoinLiquidationStat[]
  /** By intervals of `interval`, newest first, at most `limit`. */
  history(query: { coin?: string | undefined; interval: string; limit: number }): LiquidationStat[]
  /** By value, largest first. */
  topPositions(query: { coin: string; interval: string; limit: number }): LiquidatedPosition[]
  /** By time and price, oldest first; only intervals with liquidations. */
  columns(query: { coin: string; interval: string }): LiquidationColumn[]
  /** Open positions by their liquidation price; null for a coin that has no price. */
  map(query: { coin: string; interval?: string | undefined }): LiquidationMap | null
}

/** Queries about taker flow and order books. */
export interface TakerKlineQuery {
  coin: string
  interval: string
  startTimeMs?: number | undefined
  endTimeMs?: number | undefined
  limit: number
}

export interface OrderFlowFacts {
  /** Over the last `windowMs`; zeros for an unknown coin. */
  takerDelta(query: { coin: string; windowMs: number }): TakerDelta
  /** Oldest first; intervals without trades are left out. Empty for an unknown coin. */
  klines(query: TakerKlineQuery): Slices<TakerKline[]>
  /** Oldest first, the present last; empty without a book. */
  bookSummaries(query: { coin: string; windowMs: number }): Slices<BookSummary[]>
}

/** Queries about order books of the perpetual venue. */
export interface BookQuery {
  coin: string
  /** Rounds prices to so many significant figures, 2 to 5; null or undefined for none. */
  nSigFigs?: number | null
  /** With nSigFigs 5 only: 2 or 5. */
  mantissa?: number | null
}

export interface BooksFacts {
  /** null for an unknown coin. */
  l2(query: BookQuery): L2Book | null
  bbo(coin: string): Bbo | null
}

/** Queries about the state of every market of the venue. */
export interface AssetContextsFacts {
  /** In the order of the universe; null for an unknown dex. */
  perps(dex: string): Slices<PerpContext[] | null>
  /** In the order of the universe of pairs. */
  spots(): Slices<SpotContext[]>
  /** Of one coin: a perpetual or a spot pair; null for an unknown one. */
  ofCoin(coin: string): Slices<PerpContext | SpotContext | null>
  /** The dexes of builders. */
  dexs(): PerpDex[]
  /** Charged rates, oldest first, at most `limit`; null for a coin that is no perpetual. */
  fundingHistory(coin: string, span: TimeRange, limit: number): FundingRate[] | null
  predictedFundings(): PredictedFunding[]
}

/** Queries about the perpetual venue itself. */
export interface VenueFacts {
  /** Names of the dexes, the main one, which is empty, first. */
  dexNames(): readonly string[]
  /** Universe of a dex; null for an unknown dex. */
  meta(dex: string): Static<typeof Meta> | null
  /** Spot pairs and tokens. */
  spotMeta(): Static<typeof SpotMeta>
  /** Mid prices by coin. */
  allMids(dex: string): Record<string, string>
  /** What came into the accounts of a dex less what left them, other than by trades, USD. */
  netDeposits(dex: string): string
}

/** Queries about TWAPs: large orders executed in slices. */
export interface TwapsFacts {
  /** Newest first, running or ended. */
  latest(address: string, query: { coin?: string | undefined; limit: number }): AddressTwap[]
  /** The running ones of an address in the venue's form, `[id, state]`, oldest first. */
  running(address: string): [number, TwapState][]
  /** Changes of status, newest first, at most `limit`; only those after an instant, with one. */
  history(address: string, limit: number, sinceMs?: number): TwapChange[]
  wall(query: { coin?: string | undefined; interval: string }): TwapWall
  /** Running ones, by the remaining value, largest first. */
  topImpact(query: { coin?: string | undefined; limit: number }): Slices<TwapImpact[]>
}

/** Queries about the open interest of the perpetual venue. */
export interface OpenInterestFacts {
  /** All perpetuals together. */
  summary(): InterestSummary
  /** By value, largest first; `windowMs` is an open question (`top-coins-window`). */
  topCoins(query: { windowMs: number; limit: number }): CoinInterest[]
  /** Oldest first, the present last; empty for a coin that is no perpetual. */
  history(query: { coin: string; windowMs: number }): Slices<InterestPoint[]>
}

/** Queries about perpetual accounts. */
export interface AccountsFacts {
  /** The same object with zeros for an unknown address. */
  native(address: string, dex: string): NativeState
  perp(address: string, dex: string): PerpState
  states(addresses: string[], dex: string): AddressState[]
  /** Newest first, at most `limit`. */
  ledger(address: string, limit: number): LedgerUpdate[]
}

/** Queries about the state of all markets. */
export interface MarketFacts {
  /** Last prices of all instruments in listing order. */
  tickers(): { coin: string; price: string }[]
  ticker(coin: string): { coin: string; price: string } | null
  /** Newest trades first, at most `limit`. */
  recentTrades(coin: string, limit: number): Trade[]
  isCoin(coin: string): boolean
}
