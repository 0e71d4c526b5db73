/**
 * The queries of operations and channels to the world, as of one instant.
 *
 * Owned by the contract, answered by src/market. Instants are tape time in ms, in both directions:
 * parameters are shifted before they get here and answers after they left (see rebase.ts). Prices,
 * sizes and money are decimal strings.
 */
import type { TapeMs } from '../clock/instant.ts'
import type { Slices } from '../clock/turns.ts'
import type { MarketIndexFacts } from './facts/market-index.ts'
import type {
  AccountsFacts,
  AssetContextsFacts,
  BooksFacts,
  CandlesFacts,
  CompletedTradesFacts,
  FillsFacts,
  LiquidationsFacts,
  MarketFacts,
  OpenInterestFacts,
  OrderFlowFacts,
  OrdersFacts,
  PnlCurvesFacts,
  PositionsFacts,
  TradersFacts,
  TwapsFacts,
  UsersFacts,
  VenueFacts,
  WhalesFacts,
} from './facts/perpdex/traders.ts'
import type { Answers } from './questions.ts'
import type { CoinItem, CoinProfile, CoinTicker, OlderCoinTicker } from './records/coin.ts'
import type {
  AiInsight,
  IndustryFlash,
  Language,
  ListingFlash,
  NewsDetail,
  Newsflash,
  NewsItem,
  RssItem,
} from './records/content.ts'
import type { FullDepth, GroupedDepth, LatestDepth } from './records/depth.ts'
import type {
  EstimatedLiquidation,
  FuturesInterest,
  HistoryCandle,
  LiquidationBucket,
} from './records/futures-history.ts'
import type { IndicatorKey, IndicatorRecord, KlineValues } from './records/indicator.ts'
import type {
  FundScale,
  FundTrust,
  LiquidationDetail,
  LongShortRatio,
  NavItem,
  StockMarketItem,
  TrustCoin,
} from './records/mix.ts'
import type {
  AlertSetItem,
  ChangeSignal,
  ChangeType,
  SignalAlert,
  StrategyKey,
  StrategyPage,
} from './records/signal.ts'
import type { Company, Gainer, StockQuote } from './records/stock.ts'
import type { AlertSetting } from './tenant.ts'

/** A position of the playhead, at which queries are answered. */
export interface Moment {
  /** The playhead, tape time. Only rows with time <= atMs have happened. */
  atMs: TapeMs
  /** Added to a tape time to get the shown time. */
  shiftMs: number
  /** Number of restarts of the tape; 0 by default. */
  lap?: number
  /** The answers to the open questions that are in force. */
  answers: Answers
}

/** All queries to the world: a facet for each group, one file each in facts/. */
export interface Facts {
  readonly moment: Moment
  coin: CoinFacts
  content: ContentFacts
  futures: FuturesFacts
  market: MarketFacts
  mix: MixFacts
  books: BooksFacts
  candles: CandlesFacts
  fills: FillsFacts
  orderFlow: OrderFlowFacts
  marketIndex: MarketIndexFacts
  indicator: IndicatorFacts
  openInterest: OpenInterestFacts
  orders: OrdersFacts
  signal: SignalFacts
  stock: StockFacts
  accounts: AccountsFacts
  completedTrades: CompletedTradesFacts
  positions: PositionsFacts
  venue: VenueFacts
  whales: WhalesFacts
  liquidations: LiquidationsFacts
  twaps: TwapsFacts
  pnlCurves: PnlCurvesFacts
  traders: TradersFacts
  users: UsersFacts
  assetContexts: AssetContextsFacts
}

/** Queries about coins (the service's documentation, Coin and Coin ticker). */
export interface CoinFacts {
  list(): CoinItem[]
  /** Unknown keys are left out. */
  tickers(coinKeys: string[]): Slices<CoinTicker[]>
  /** The same coins in the older form. */
  olderTickers(coinKeys: string[]): Slices<OlderCoinTicker[]>
  /** Unknown keys are left out. */
  profiles(coinKeys: string[]): CoinProfile[]
}

/**
 * Queries about content on the market (the service's documentation, Content). Lists are newest
 * first.
 */
export interface ContentFacts {
  /** Unknown keys are left out. */
  insights(coinKeys: string[], language: Language): Slices<AiInsight[]>
  newsflashes(language: Language): Slices<Newsflash[]>
  industryFlashes(query: FlashQuery): Slices<IndustryFlash[]>
  /** Announcements of exchanges by the ids of their accounts; unknown ids have none. */
  listings(query: ListingQuery): Slices<ListingFlash[]>
  /** Pages begin at 1. */
  news(page: PageQuery): Slices<NewsItem[]>
  /** null for an id that does not exist, or not yet. */
  newsDetail(id: number): Slices<NewsDetail | null>
  /** Pages begin at 1. */
  rss(page: PageQuery): Slices<RssItem[]>
}

export interface FlashQuery {
  language: Language
  /** The instant from which the list continues; the newest by default. */
  createTimeMs?: number | undefined
}

export interface ListingQuery {
  language: Language
  memberIds: number[]
  limit: number
}

export interface PageQuery {
  page: number
  pageSize: number
}

/** Derivatives: funding, open interest, liquidations and depth by pair. */
export interface HistoryQuery {
  /** A pair such as `btcswapusdt:binance`, an aggregated pair or a coin's symbol. */
  symbol: string
  interval: string
  limit: number
  startTimeMs?: number | undefined
  endTimeMs?: number | undefined
}

export interface EstimatedLiquidationQuery extends Omit<HistoryQuery, 'interval'> {
  cycle: '24h' | '7d'
  /** All of them by default. */
  leverage?: '10' | '25' | '50' | '100' | undefined
}

/** Histories are oldest first; each is null for an unknown symbol. */
export interface FuturesFacts {
  /** All pairs, perpetuals first: `btcswapusdt:binance`. */
  symbols(): string[]
  /** Empty levels for an unknown pair. `size` levels a side. */
  latestDepth(dbKey: string, size: number): LatestDepth
  /** null for an unknown pair. */
  fullDepth(dbKey: string): FullDepth | null
  /** null for an unknown pair. */
  groupedDepth(dbKey: string, groupSize: number): GroupedDepth | null
  /** Past rates of one pair. */
  fundingRates(query: HistoryQuery): Slices<HistoryCandle[] | null>
  /** Rates of eight hours over all exchanges, weighted by their share of the market. */
  weightedFundingRates(query: HistoryQuery): Slices<HistoryCandle[] | null>
  /** Open interest of contracts settled in stablecoins over all exchanges, in the coin. */
  stablecoinOpenInterest(query: HistoryQuery): Slices<HistoryCandle[] | null>
  /** Open interest of contracts settled in the coin over all exchanges, in dollars. */
  coinMarginOpenInterest(query: HistoryQuery): Slices<HistoryCandle[] | null>
  /** Liquidations of one pair. */
  liquidations(query: HistoryQuery): Slices<LiquidationBucket[] | null>
  /** Estimated liquidation prices of the positions of one pair, each 15 minutes. */
  estimatedLiquidations(query: EstimatedLiquidationQuery): Slices<EstimatedLiquidation[] | null>
  /** Perpetual pairs, largest open interest first; pages begin at 1. */
  openInterestList(query: OpenInterestListQuery): Slices<FuturesInterest[]>
}

export interface OpenInterestListQuery {
  language: 'cn' | 'en'
  currency: 'cny' | 'usd'
  page: number
  pageSize: number
}

/** Queries about k-lines and indicators of a pair (the service's documentation, Indicator keys). */
export interface PairKlineQuery {
  /** A pair such as `btcswapusdt:binance`. */
  symbol: string
  periodS: number
  size: number
  /** Hour of the day in Beijing at which days begin. */
  openHour: 0 | 8
  /** Whole seconds of tape time, as a parameter of that unit is shifted; the present by default. */
  sinceS?: number | undefined
}

export interface IndicatorQuery extends PairKlineQuery {
  key: IndicatorKey
}

/** Lists are oldest first; each is null for an unknown pair, or one without such an indicator. */
export interface IndicatorFacts {
  /**
   * One record an interval. Large trades are one record each, the newest `size`, without intervals.
   */
  records(query: IndicatorQuery): Slices<IndicatorRecord[] | null>
  /** Candles; intervals without trades are left out. */
  klines(query: PairKlineQuery): Slices<KlineValues[] | null>
  /** Pairs of a coin or of a quote currency that have an indicator: symbol and name. */
  pairs(coinType: string, key: IndicatorKey): { symbol: string; name: string }[]
}

/** Queries about the market as a whole (the service's documentation, Feature and signal data). */
export interface MixFacts {
  /** null without any position. */
  longShortRatio(): Slices<LongShortRatio | null>
  navigation(language: 'cn' | 'en'): Slices<NavItem[]>
  /** null while its coin has no price. */
  trust(): FundTrust | null
  scales(coins: readonly TrustCoin[]): FundScale
  liquidations(query: {
    currency: 'cny' | 'usd'
    /** Key of a coin; all coins by default. */
    coinKey?: string | undefined
    /** Key of a market; all markets by default. */
    marketKey?: string | undefined
  }): Slices<LiquidationDetail>
  stocks(): Slices<StockMarketItem[]>
}

/** Queries about signals (the service's documentation, Signals). */
export interface SignalFacts {
  /** Present price of a pair, as text; null for an unknown pair, or one without a price yet. */
  price(symbol: string): string | null
  /** Alerts that have fired since they were set, newest first. */
  firedAlerts(settings: readonly AlertSetting[]): SignalAlert[]
  /** Alerts in the form of the list. */
  alertSettings(settings: readonly AlertSetting[]): AlertSetItem[]
  /** The 100 after an instant, or the latest 100. */
  strategyPage(query: {
    coinType: string
    key: StrategyKey
    afterMs?: number | undefined
  }): Slices<StrategyPage>
  /** Newest first. */
  changes(query: { type: ChangeType; currency: 'cny' | 'usd' }): Slices<ChangeSignal[]>
}

/** Queries about crypto-related stocks (the service's documentation, Crypto stock). */
export interface StockFacts {
  /** In the order of the tickers, `i:<symbol>:<market>`; unknown ones are left out. */
  quotes(tickers: string[]): StockQuote[]
  /** null for an unknown ticker. */
  company(ticker: string): Slices<Company | null>
  /** Largest change first; without indexes. */
  gainers(query: { us: boolean; hk: boolean; limit: number }): Slices<Gainer[]>
}
