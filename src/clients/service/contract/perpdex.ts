/** The operations of the group `perpdex`. Written by `bun run generate`. */
// biome-ignore-all format: as it is generated
// biome-ignore-all assist/source/organizeImports: as it is generated
import type { CallGroup, CallOptions, NoInput } from '../requests/request.ts'
import type { InfoAnswer, InfoRequest, InfoTypeName } from './info.ts'
import type {
  ActiveOrderStats,
  AddressDrawdown,
  AddressFill,
  AddressNetFlow,
  AddressPnls,
  AddressSpotState,
  AddressStat,
  AddressState,
  AddressTwap,
  BatchAddressStat,
  BestTrade,
  BookSummary,
  BuilderFill,
  CoinInterest,
  CoinLiquidationStat,
  CoinPerformance,
  CompletedTrade,
  Drawdown,
  Fill,
  FillInForm,
  FoundTrader,
  InterestPoint,
  InterestSummary,
  LiquidatedPosition,
  LiquidationColumn,
  LiquidationMap,
  LiquidationStat,
  NetFlow,
  ObservedCompletedTrade,
  OrderInForm,
  PastFoundTrader,
  PnlCurve,
  PortfolioCurve,
  PositionExecutions,
  PositionHistory,
  PositionPnls,
  SliceFill,
  TakerDelta,
  TakerKline,
  Ticker,
  TopOpenOrder,
  TopTrade,
  TradePage,
  TraderAccount,
  TraderPage,
  TraderSearch,
  TraderStatistics,
  TwapImpact,
  TwapWall,
  WhaleDirections,
  WhaleEvent,
  WhalePosition,
  WhaleRatio,
} from './records.ts'

/** Requests of `perpdex`. */
export interface PerpdexCalls {
  /**
   * Taker buys minus taker sells. In the last interval; positive if takers bought more.
   *
   * `GET /hl/accumulated-taker-delta/:coin`, permission `HL_ACCUMULATED_TAKER_DELTA`.
   */
  accumulatedTakerDelta(input: {
    path: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
    }
    query?: {
      /** how far back, 1s to 60d */
      interval?: string | undefined
    }
  }, options?: CallOptions): Promise<TakerDelta>

  /**
   * Number and value of open orders. Bids and asks of all accounts, and the large ones among them.
   *
   * `GET /hl/orders/active-stats`, permission `HL_ACTIVE_STATS`.
   */
  activeOrderStats(input?: {
    query?: {
      /** order value from which an order is large, USD */
      whale_threshold?: string | undefined
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin?: string | undefined
    }
  }, options?: CallOptions): Promise<ActiveOrderStats>

  /**
   * Figures of an account over a period. A period counts the positions that were closed in it.
   *
   * `GET /hl/traders/:address/addr-stat`, permission `HL_ADDR_STAT`.
   */
  addrStat(input: {
    path: {
      /** whose */
      address: string
    }
    query?: {
      /** days back, 0 for all time */
      period?: number | undefined
    }
  }, options?: CallOptions): Promise<AddressStat>

  /**
   * Figures of several accounts over a period. `avgPosDuration` is a number here, and text in the
   * figures of one account.
   *
   * `POST /hl/traders/batch-addr-stat`, permission `HL_BATCH_ADDR_STAT`.
   */
  batchAddrStat(input: {
    body: {
      /** accounts; those after the first 50 are cut */
      addresses: string[]
      /** days back, 0 for all time */
      period?: 1 | 7 | 30 | 0 | undefined
    }
  }, options?: CallOptions): Promise<BatchAddressStat[]>

  /**
   * Maximum drawdowns of several accounts.
   *
   * `POST /hl/batch-max-drawdown`, permission `HL_BATCH_MAX_DRAWDOWN`.
   */
  batchMaxDrawdown(input: {
    body: {
      /** accounts; those after the first 50 are cut */
      addresses: string[]
      /** days back, 0 for all time */
      days?: 1 | 7 | 30 | 60 | 90 | 0 | undefined
      /** accounts of perpetuals */
      scope?: 'perp' | undefined
    }
  }, options?: CallOptions): Promise<AddressDrawdown[]>

  /**
   * Net inflow of several accounts.
   *
   * `POST /hl/ledger-updates/batch-net-flow`, permission `HL_BATCH_LEDGER_UPDATES_NET_FLOW`.
   */
  batchNetFlow(input: {
    body: {
      /** accounts; those after the first 50 are cut */
      addresses: string[]
      /** days back, 0 for all time */
      days?: 1 | 7 | 30 | 60 | 90 | 0 | undefined
    }
  }, options?: CallOptions): Promise<AddressNetFlow[]>

  /**
   * PnL curves of several accounts.
   *
   * `POST /hl/batch-pnls`, permission `HL_BATCH_PNLS`.
   */
  batchPnls(input: {
    body: {
      /** accounts; those after the first 50 are cut */
      addresses: string[]
      /** days back, 0 for all time */
      period?: 0 | 1 | 7 | 30 | undefined
      /** all sub-accounts, or those of perpetuals only */
      scope?: 'all' | 'perp' | undefined
    }
  }, options?: CallOptions): Promise<AddressPnls[]>

  /**
   * Best completed trades of an account. The positions closed in the period, by PnL, best first.
   *
   * `GET /hl/traders/:address/best-trades`, permission `HL_BEST_TRADES`.
   */
  bestTrades(input: {
    path: {
      /** whose */
      address: string
    }
    query?: {
      /** days back, 0 for all time */
      period?: number | undefined
      /** how many at most */
      limit?: number | undefined
    }
  }, options?: CallOptions): Promise<BestTrade[]>

  /**
   * Executions on a completed position. Buys and sells by interval; intervals without any are
   * omitted.
   *
   * `GET /hl/traders/:address/completed-position-executions/:coin`, permission
   * `HL_COMPLETED_POSITION_EXECUTIONS`.
   */
  completedPositionExecutions(input: {
    path: {
      /** whose */
      address: string
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
    }
    query?: {
      /** length of an interval, 15m to 1d */
      interval?: string | undefined
      /** intervals, the newest */
      limit?: number | undefined
      /** `openTime` of the completed trade, exactly: a key, no time range */
      startTime?: number | undefined
      /** `closeTime` of the completed trade, exactly: a key, no time range */
      endTime?: number | undefined
    }
  }, options?: CallOptions): Promise<PositionExecutions>

  /**
   * History of a completed position. The position after each change; the last one is its close.
   *
   * `GET /hl/traders/:address/completed-position-history/:coin`, permission
   * `HL_COMPLETED_POSITION_HISTORY`.
   */
  completedPositionHistory(input: {
    path: {
      /** whose */
      address: string
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
    }
    query?: {
      /** `openTime` of the completed trade, exactly: a key, no time range */
      startTime?: number | undefined
      /** `closeTime` of the completed trade, exactly: a key, no time range */
      endTime?: number | undefined
    }
  }, options?: CallOptions): Promise<PositionHistory>

  /**
   * PnL of a completed position. Its PnL at the end of each interval; the last one ends flat.
   *
   * `GET /hl/traders/:address/completed-position-pnl/:coin`, permission
   * `HL_COMPLETED_POSITION_PNL`.
   */
  completedPositionPnl(input: {
    path: {
      /** whose */
      address: string
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
    }
    query?: {
      /** length of an interval, 15m to 1d */
      interval?: string | undefined
      /** intervals, the newest */
      limit?: number | undefined
      /** `openTime` of the completed trade, exactly: a key, no time range */
      startTime?: number | undefined
      /** `closeTime` of the completed trade, exactly: a key, no time range */
      endTime?: number | undefined
    }
  }, options?: CallOptions): Promise<PositionPnls>

  /**
   * Completed trades of an account by the time of their closing.
   *
   * `POST /hl/traders/:address/completed-trades/by-time`, permission `HL_COMPLETED_TRADES_BY_TIME`.
   */
  completedTradesByTime(input: {
    path: {
      /** whose */
      address: string
    }
    body?: {
      /** page, from 1 to 50 */
      pageNum?: number | undefined
      /** trades on a page */
      pageSize?: number | undefined
      /** coin name, with a capital C */
      Coin?: string | undefined
      /** see the question `completed-by-time-coin` */
      coin?: string | undefined
      /** closed then or later */
      endTimeFrom?: number | undefined
      /** closed then or earlier */
      endTimeTo?: number | undefined
    }
  }, options?: CallOptions): Promise<TradePage | ObservedCompletedTrade[]>

  /**
   * Completed trades of an account. Perpetual positions that are flat again, newest first.
   * `openTime` and `closeTime` name a position to the endpoints of completed positions.
   *
   * `GET /hl/traders/:address/completed-trades`, permission `HL_COMPLETED_TRADES`.
   */
  completedTrades(input: {
    path: {
      /** whose */
      address: string
    }
    query?: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin?: string | undefined
      /** how many at most */
      limit?: number | undefined
    }
  }, options?: CallOptions): Promise<CompletedTrade[]>

  /**
   * Executions on the open position. Buys and sells by interval; intervals without any are omitted.
   * null without an open position.
   *
   * `GET /hl/traders/:address/current-position-executions/:coin`, permission
   * `HL_CURRENT_POSITION_EXECUTIONS`.
   */
  currentPositionExecutions(input: {
    path: {
      /** whose */
      address: string
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
    }
    query?: {
      /** length of an interval, 15m to 1d */
      interval?: string | undefined
      /** intervals, the newest */
      limit?: number | undefined
    }
  }, options?: CallOptions): Promise<PositionExecutions | null>

  /**
   * History of the open position. The position after each change, and now. null without an open
   * position.
   *
   * `GET /hl/traders/:address/current-position-history/:coin`, permission
   * `HL_CURRENT_POSITION_HISTORY`.
   */
  currentPositionHistory(input: {
    path: {
      /** whose */
      address: string
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
    }
  }, options?: CallOptions): Promise<PositionHistory | null>

  /**
   * PnL of the open position. Its PnL at the end of each interval. null without an open position.
   *
   * `GET /hl/traders/:address/current-position-pnl/:coin`, permission `HL_CURRENT_POSITION_PNL`.
   */
  currentPositionPnl(input: {
    path: {
      /** whose */
      address: string
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
    }
    query?: {
      /** length of an interval, 15m to 1d */
      interval?: string | undefined
      /** intervals, the newest */
      limit?: number | undefined
    }
  }, options?: CallOptions): Promise<PositionPnls | null>

  /**
   * A filled order. null if the order does not exist or is not filled at all.
   *
   * `GET /hl/filled-orders/oid/:oid`, permission `HL_FILLED_ORDERS`.
   */
  filledOrderById(input: {
    path: {
      /** order id */
      oid: string
    }
  }, options?: CallOptions): Promise<OrderInForm | null>

  /**
   * Latest filled orders of an address. Orders that are at least partly filled, newest first.
   *
   * `GET /hl/filled-orders/:address/latest`, permission `HL_FILLED_ORDERS`.
   */
  filledOrdersLatest(input: {
    path: {
      /** whose orders */
      address: string
    }
    query?: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin?: string | undefined
      /** how many at most */
      limit?: number | undefined
    }
  }, options?: CallOptions): Promise<OrderInForm[]>

  /**
   * Fills of an address.
   *
   * `GET /hl/fills/:address`, permission `HL_FILLS`.
   */
  fillsOfAddress(input: {
    path: {
      /** whose fills */
      address: string
    }
    query?: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin?: string | undefined
      /** how many at most */
      limit?: number | undefined
    }
  }, options?: CallOptions): Promise<FillInForm[]>

  /**
   * Latest fills of a builder. Fills that came through a front end, newest first, with its
   * earnings.
   *
   * `GET /hl/fills/builder/:builder/latest`, permission `HL_FILLS_BUILDER`.
   */
  fillsOfBuilder(input: {
    path: {
      /** address of the builder */
      builder: string
    }
    query?: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin?: string | undefined
      /** how many at most */
      limit?: number | undefined
      /** minimum of price x size, USD */
      minVal?: number | undefined
    }
  }, options?: CallOptions): Promise<BuilderFill[]>

  /**
   * Fills of an order.
   *
   * `GET /hl/fills/oid/:oid`, permission `HL_FILLS`.
   */
  fillsOfOrder(input: {
    path: {
      /** order id */
      oid: number
    }
  }, options?: CallOptions): Promise<FillInForm[]>

  /**
   * Fills of a TWAP. Oldest first. Their sizes add up to its executed size.
   *
   * `GET /hl/fills/twapid/:twapid`, permission `HL_FILLS_BY_TWAP_ID`.
   */
  fillsOfTwap(input: {
    path: {
      /** TWAP id */
      twapid: number
    }
  }, options?: CallOptions): Promise<SliceFill[] | AddressFill[] | Fill[]>

  /**
   * Requests of the perpetual venue. The body has the venue's format, with a `type`; the answer has
   * the venue's format, in envelope B.
   *
   * `POST /hl/info`, permission `HL_INFO`.
   */
  info<T extends InfoTypeName>(
    input: { body: InfoRequest<T> },
    options?: CallOptions,
  ): Promise<InfoAnswer<T>>

  /**
   * Candles with taker buy volume. The same candles as those of the socket and of candleSnapshot,
   * oldest first.
   *
   * `GET /hl/klines-with-taker-vol/:coin/:interval`, permission `HL_KLINES_WITH_TAKER_VOL`.
   */
  klinesWithTakerVol(input: {
    path: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
      /** length of a candle, 1s to 1w */
      interval: string
    }
    query?: {
      /** not before the candle that contains this, ms */
      startTime?: number | undefined
      /** not after the candle that contains this, ms */
      endTime?: number | undefined
      /** how many at most */
      limit?: number | undefined
    }
  }, options?: CallOptions): Promise<TakerKline[]>

  /**
   * Where open positions would be liquidated. Open positions of a coin by their own liquidation
   * price: long ones below the mark price, short ones above it.
   *
   * `GET /hl/liquidations/estimated-heatmap`, permission `HL_LIQUIDATIONS_MARKET_HEATMAP`.
   */
  liquidationsEstimatedHeatmap(input: {
    query: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
      /** only positions opened in that time, 15m to 60d */
      interval?: string | undefined
    }
  }, options?: CallOptions): Promise<LiquidationMap | null>

  /**
   * Liquidations over time. Sums by time interval, newest first; the newest interval is not
   * complete.
   *
   * `GET /hl/liquidations/history`, permission `HL_LIQUIDATIONS_HISTORY`.
   */
  liquidationsHistory(input?: {
    query?: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin?: string | undefined
      /** length of an interval, 1m to 60d */
      interval?: string | undefined
      /** stretches at most */
      limit?: number | undefined
    }
  }, options?: CallOptions): Promise<LiquidationStat[]>

  /**
   * Liquidations by time and price. Liquidations by time interval and price interval.
   *
   * `GET /hl/liquidations/market-heatmap`, permission `HL_LIQUIDATIONS_MARKET_HEATMAP`.
   */
  liquidationsMarketHeatmap(input: {
    query: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
      /** how far back, 15m to 60d */
      interval?: string | undefined
    }
  }, options?: CallOptions): Promise<LiquidationColumn[]>

  /**
   * Sums of liquidations by coin. Only coins with liquidations, by value.
   *
   * `GET /hl/liquidations/stat-by-coin`, permission `HL_LIQUIDATIONS_STAT_BY_COIN`.
   */
  liquidationsStatByCoin(input?: {
    query?: {
      /** how far back, 1s to 60d */
      interval?: string | undefined
    }
  }, options?: CallOptions): Promise<CoinLiquidationStat[]>

  /**
   * Sums of liquidations. For one coin or all coins, over the time before now.
   *
   * `GET /hl/liquidations/stat`, permission `HL_LIQUIDATIONS_STAT`.
   */
  liquidationsStat(input?: {
    query?: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin?: string | undefined
      /** how far back, 1s to 60d */
      interval?: string | undefined
    }
  }, options?: CallOptions): Promise<LiquidationStat>

  /**
   * Largest positions liquidated. For one coin, by value.
   *
   * `GET /hl/liquidations/top-positions`, permission `HL_LIQUIDATIONS_TOP_POSITIONS`.
   */
  liquidationsTopPositions(input: {
    query: {
      /** how far back, 1m to 60d */
      interval?: string | undefined
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
      /** how many at most */
      limit?: number | undefined
    }
  }, options?: CallOptions): Promise<LiquidatedPosition[]>

  /**
   * Maximum drawdown of an account. The largest fall from a maximum of the PnL, as a fraction of
   * the account value at that maximum.
   *
   * `GET /hl/max-drawdown/:address`, permission `HL_MAX_DRAWDOWN`.
   */
  maxDrawdown(input: {
    path: {
      /** account address */
      address: string
    }
    query?: {
      /** days back */
      days?: 1 | 7 | 30 | 60 | 90 | undefined
      /** accounts of perpetuals */
      scope?: 'perp' | undefined
    }
  }, options?: CallOptions): Promise<Drawdown>

  /**
   * Net inflow of an account. Deposits minus withdrawals; negative if withdrawals are larger.
   *
   * `GET /hl/ledger-updates/net-flow/:address`, permission `HL_LEDGER_UPDATES_NET_FLOW`.
   */
  netFlow(input: {
    path: {
      /** account address */
      address: string
    }
    query?: {
      /** days back */
      days?: 1 | 7 | 30 | 60 | 90 | undefined
    }
  }, options?: CallOptions): Promise<NetFlow>

  /**
   * History of the open interest of a coin. Oldest first; the last point is the present.
   *
   * `GET /hl/open-interest/history/:coin`, permission `HL_OPEN_INTEREST_HISTORY`.
   */
  openInterestHistory(input: {
    path: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
    }
    query?: {
      /** how far back, 15m to 180d */
      interval?: string | undefined
    }
  }, options?: CallOptions): Promise<InterestPoint[]>

  /**
   * Open interest of the venue. The number of open perpetual positions, and their value at the mark
   * price.
   *
   * `GET /hl/open-interest/summary`, permission `HL_OPEN_INTEREST_SUMMARY`.
   */
  openInterestSummary(input?: NoInput, options?: CallOptions): Promise<InterestSummary>

  /**
   * Coins with the most open interest. By the value of their open positions, largest first. All
   * coins together add up to the summary.
   *
   * `GET /hl/open-interest/top-coins`, permission `HL_OPEN_INTEREST_TOP_COINS`.
   */
  openInterestTopCoins(input?: {
    query?: {
      /** how many at most */
      limit?: number | undefined
      /** how far back, 15m to 180d */
      interval?: string | undefined
    }
  }, options?: CallOptions): Promise<CoinInterest[]>

  /**
   * An order. null if the order does not exist.
   *
   * `GET /hl/orders/oid/:oid`, permission `HL_ORDERS`.
   */
  orderById(input: {
    path: {
      /** order id */
      oid: string
    }
  }, options?: CallOptions): Promise<OrderInForm | null>

  /**
   * History of order book summaries. Sums over all bids and over all asks. Its times are seconds.
   * The last row is the present.
   *
   * `GET /hl/orderbooks/history-summaries/:coin`, permission `HL_ORDERBOOKS_HISTORY_SUMMARIES`.
   */
  orderbookSummaries(input: {
    path: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
    }
    query?: {
      /** how far back, 1h to 180d */
      interval?: string | undefined
    }
  }, options?: CallOptions): Promise<BookSummary[]>

  /**
   * Latest orders of an address. Including cancelled ones, newest first.
   *
   * `GET /hl/orders/:address/latest`, permission `HL_ORDERS`.
   */
  ordersLatest(input: {
    path: {
      /** whose orders */
      address: string
    }
    query?: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin?: string | undefined
      /** how many at most */
      limit?: number | undefined
    }
  }, options?: CallOptions): Promise<OrderInForm[]>

  /**
   * Results of an account by coin. The positions closed in the period, by total PnL, best first.
   *
   * `GET /hl/traders/:address/performance-by-coin`, permission `HL_PERFORMANCE_BY_COIN`.
   */
  performanceByCoin(input: {
    path: {
      /** whose */
      address: string
    }
    query?: {
      /** days back, 0 for all time */
      period?: number | undefined
      /** how many at most */
      limit?: number | undefined
    }
  }, options?: CallOptions): Promise<CoinPerformance[]>

  /**
   * PnL curve. Cumulative PnL of all sub-accounts, with unrealised PnL, funding and fees, from 0.
   *
   * `GET /hl/pnls/:address`, permission `HL_PNLS`.
   */
  pnls(input: {
    path: {
      /** account address */
      address: string
    }
    query?: {
      /** days back, 0 for all time */
      period?: 0 | 1 | 7 | 30 | undefined
    }
  }, options?: CallOptions): Promise<PnlCurve>

  /**
   * Account value and PnL curves. The value and the earnings of an account, at regular times and
   * now.
   *
   * `GET /hl/portfolio/:address/:window`, permission `HL_PORTFOLIO`.
   */
  portfolio(input: {
    path: {
      /** account address */
      address: string
      /** how far back */
      window: 'day' | 'week' | 'month' | 'allTime'
    }
  }, options?: CallOptions): Promise<PortfolioCurve>

  /**
   * Smart money. Accounts with more than 100,000 USD on the main dex, sorted, the largest first.
   *
   * `POST /hl/smart/find`, permission `HL_SMART_FIND`.
   */
  smartFind(input?: {
    body?: {
      /** page, from 1 to 20 */
      pageNum?: number | undefined
      /** accounts per page */
      pageSize?: number | undefined
      /** days back, 0 for all time */
      period?: number | undefined
      /** sort key */
      sort?: 'win-rate' | 'account-balance' | 'ROI' | 'pnl' | 'position-count' | 'profit-count'
        | 'last-operation' | 'avg-holding-period' | 'current-position' | undefined
      /** with the PnL curves */
      pnlList?: boolean | undefined
    }
  }, options?: CallOptions): Promise<TraderStatistics[] | TraderPage>

  /**
   * Last price of a coin.
   *
   * `GET /hl/tickers/coin/:coin`, permission `HL_TICKERS`.
   */
  ticker(input: {
    path: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
    }
  }, options?: CallOptions): Promise<Ticker | null>

  /**
   * Last prices of all coins.
   *
   * `GET /hl/tickers`, permission `HL_TICKERS`.
   */
  tickers(input?: NoInput, options?: CallOptions): Promise<Ticker[]>

  /**
   * Largest open orders. Of all accounts, by the value of the open part, largest first.
   *
   * `GET /hl/orders/top-open-orders`, permission `HL_TOP_OPEN_ORDERS`.
   */
  topOpenOrders(input?: {
    query?: {
      /** value at least, USD */
      min_val?: string | undefined
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin?: string | undefined
      /** how many at most */
      limit?: number | undefined
    }
  }, options?: CallOptions): Promise<TopOpenOrder[]>

  /**
   * Largest trades.
   *
   * `GET /hl/fills/top-trades`, permission `HL_TOP_TRADES`.
   */
  topTrades(input: {
    query: {
      /** how far back, 1s to 7d */
      interval: string
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin: string
      /** how many at most */
      limit?: number | undefined
    }
  }, options?: CallOptions): Promise<TopTrade[]>

  /**
   * Net values of accounts. `totalValue` plus `builderPerpValue` is the whole value, without double
   * counting.
   *
   * `POST /hl/traders/accounts`, permission `HL_TRADERS_ACCOUNTS`.
   */
  tradersAccounts(input: {
    body: {
      /** accounts; those after the first 2000 are cut */
      addresses: string[]
    }
  }, options?: CallOptions): Promise<TraderAccount[]>

  /**
   * States of perpetual accounts.
   *
   * `POST /hl/traders/clearinghouse-state`, permission `HL_INFO_BATCH_CLEARINGHOUSE_STATE`.
   */
  tradersClearinghouseState(input: {
    body: {
      /** accounts; those after the first 2000 are cut */
      addresses: string[]
      /** empty for the main dex */
      dex?: string | undefined
    }
  }, options?: CallOptions): Promise<AddressState[]>

  /**
   * Search for traders as of an earlier instant.
   *
   * `POST /hl/traders/discover-history`, permission `HL_TRADERS_DISCOVER_HISTORY`.
   */
  tradersDiscoverHistory(input?: {
    body?: TraderSearch & {
      /** the instant, ms; now by default */
      time?: number | undefined
      /** the same, if `time` is missing */
      startTime?: number | undefined
    }
  }, options?: CallOptions): Promise<{
    list: PastFoundTrader[]
    /** traders found */
    total: number
  }>

  /**
   * Search for traders. Finds traders by their figures, coins and tags, and returns the selected
   * columns.
   *
   * `POST /hl/traders/discover`, permission `HL_TRADERS_DISCOVER`.
   */
  tradersDiscover(input?: {
    body?: TraderSearch
  }, options?: CallOptions): Promise<{
    list: FoundTrader[]
    /** traders found */
    total: number
  }>

  /**
   * Balances of spot accounts.
   *
   * `POST /hl/traders/spot-clearinghouse-state`, permission
   * `HL_INFO_BATCH_SPOT_CLEARINGHOUSE_STATE`.
   */
  tradersSpotClearinghouseState(input: {
    body: {
      /** accounts; those after the first 2000 are cut */
      addresses: string[]
    }
  }, options?: CallOptions): Promise<AddressSpotState[]>

  /**
   * Trading results of accounts in a period. Positions closed in the period, their realised PnL,
   * and the present value of the account.
   *
   * `POST /hl/traders/statistics`, permission `HL_TRADERS_STATISTICS`.
   */
  tradersStatistics(input: {
    body: {
      /** days back, 0 for all time */
      period?: number | undefined
      /** with the PnL curve */
      pnlList?: boolean | undefined
      /** accounts; those after the first 50 are cut */
      addresses: string[]
    }
  }, options?: CallOptions): Promise<TraderStatistics[]>

  /**
   * Latest TWAPs of an address. Running and ended ones, newest first, with the executed size.
   *
   * `GET /hl/twap-states/:address/latest`, permission `HL_TWAP_STATES`.
   */
  twapStatesLatest(input: {
    path: {
      /** whose TWAPs */
      address: string
    }
    query?: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin?: string | undefined
      /** how many at most */
      limit?: number | undefined
    }
  }, options?: CallOptions): Promise<AddressTwap[]>

  /**
   * Remaining size of running TWAPs. The rest of each running TWAP, spread evenly until its end, by
   * future time intervals.
   *
   * `GET /hl/twaps/execution-wall`, permission `HL_TWAP_EXECUTION_PRESSURE`.
   */
  twapsExecutionWall(input?: {
    query?: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin?: string | undefined
      /** length of an interval, 1m to 1h */
      interval?: string | undefined
    }
  }, options?: CallOptions): Promise<TwapWall>

  /**
   * Running TWAPs with the largest remaining size. By the remaining value, with the 24-hour
   * turnover of the coin.
   *
   * `GET /hl/twaps/top-impact`, permission `HL_TWAP_TOP_IMPACT`.
   */
  twapsTopImpact(input?: {
    query?: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin?: string | undefined
      /** how many at most */
      limit?: number | undefined
    }
  }, options?: CallOptions): Promise<TwapImpact[]>

  /**
   * Long and short positions of whales. The number of positions worth more than 1,000,000 USD on
   * each side.
   *
   * `GET /hl/whales/directions`, permission `HL_WHALES_DIRECTIONS`.
   */
  whaleDirections(input?: {
    query?: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin?: string | undefined
    }
  }, options?: CallOptions): Promise<WhaleDirections>

  /**
   * Positions opened and closed by whales. Positions worth more than 1,000,000 USD that were opened
   * or closed, newest first.
   *
   * `GET /hl/whales/latest-events`, permission `HL_WHALES_LATEST_EVENTS`.
   */
  whaleEvents(input?: {
    query?: {
      /** how many at most */
      limit?: number | undefined
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin?: string | undefined
    }
  }, options?: CallOptions): Promise<WhaleEvent[]>

  /**
   * History of the long ratio of whales. For positions worth more than 1,000,000 USD over all
   * coins; a `coin` is ignored.
   *
   * `GET /hl/whales/history-long-ratio`, permission `HL_WHALES_HISTORY_LONG_RATIO`.
   */
  whaleLongRatios(input?: {
    query?: {
      /** time between two rows */
      interval?: '10m' | '1h' | '4h' | '1d' | undefined
      /** how many at most */
      limit?: number | undefined
    }
  }, options?: CallOptions): Promise<WhaleRatio[]>

  /**
   * Open positions of whales. Positions worth more than 1,000,000 USD at the mark price.
   *
   * `GET /hl/whales/open-positions`, permission `HL_WHALES_OPEN_POSITIONS`.
   */
  whalePositions(input?: {
    query?: {
      /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
      coin?: string | undefined
      /** direction */
      dir?: 'long' | 'short' | undefined
      /** by unrealised PnL */
      npnlSide?: 'profit' | 'loss' | undefined
      /** by funding: profit when it was received */
      frSide?: 'profit' | 'loss' | undefined
      /** sort order: the largest, the newest, the largest profit or loss first */
      topBy?: 'position-value' | 'margin-balance' | 'create-time' | 'profit' | 'loss' | undefined
      /** how many at most */
      take?: number | undefined
    }
  }, options?: CallOptions): Promise<WhalePosition[]>
}

/** How to ask for it. */
export const perpdex: CallGroup<PerpdexCalls> = {
  accumulatedTakerDelta: 'GET /hl/accumulated-taker-delta/:coin',
  activeOrderStats: 'GET /hl/orders/active-stats',
  addrStat: 'GET /hl/traders/:address/addr-stat',
  batchAddrStat: 'POST /hl/traders/batch-addr-stat body addresses=50',
  batchMaxDrawdown: 'POST /hl/batch-max-drawdown body addresses=50',
  batchNetFlow: 'POST /hl/ledger-updates/batch-net-flow body addresses=50',
  batchPnls: 'POST /hl/batch-pnls body addresses=50',
  bestTrades: 'GET /hl/traders/:address/best-trades',
  completedPositionExecutions: 'GET /hl/traders/:address/completed-position-executions/:coin',
  completedPositionHistory: 'GET /hl/traders/:address/completed-position-history/:coin',
  completedPositionPnl: 'GET /hl/traders/:address/completed-position-pnl/:coin',
  completedTradesByTime: 'POST /hl/traders/:address/completed-trades/by-time body',
  completedTrades: 'GET /hl/traders/:address/completed-trades',
  currentPositionExecutions: 'GET /hl/traders/:address/current-position-executions/:coin',
  currentPositionHistory: 'GET /hl/traders/:address/current-position-history/:coin',
  currentPositionPnl: 'GET /hl/traders/:address/current-position-pnl/:coin',
  filledOrderById: 'GET /hl/filled-orders/oid/:oid',
  filledOrdersLatest: 'GET /hl/filled-orders/:address/latest',
  fillsOfAddress: 'GET /hl/fills/:address',
  fillsOfBuilder: 'GET /hl/fills/builder/:builder/latest',
  fillsOfOrder: 'GET /hl/fills/oid/:oid',
  fillsOfTwap: 'GET /hl/fills/twapid/:twapid',
  info: 'POST /hl/info body',
  klinesWithTakerVol: 'GET /hl/klines-with-taker-vol/:coin/:interval',
  liquidationsEstimatedHeatmap: 'GET /hl/liquidations/estimated-heatmap',
  liquidationsHistory: 'GET /hl/liquidations/history',
  liquidationsMarketHeatmap: 'GET /hl/liquidations/market-heatmap',
  liquidationsStatByCoin: 'GET /hl/liquidations/stat-by-coin',
  liquidationsStat: 'GET /hl/liquidations/stat',
  liquidationsTopPositions: 'GET /hl/liquidations/top-positions',
  maxDrawdown: 'GET /hl/max-drawdown/:address',
  netFlow: 'GET /hl/ledger-updates/net-flow/:address',
  openInterestHistory: 'GET /hl/open-interest/history/:coin',
  openInterestSummary: 'GET /hl/open-interest/summary',
  openInterestTopCoins: 'GET /hl/open-interest/top-coins',
  orderById: 'GET /hl/orders/oid/:oid',
  orderbookSummaries: 'GET /hl/orderbooks/history-summaries/:coin',
  ordersLatest: 'GET /hl/orders/:address/latest',
  performanceByCoin: 'GET /hl/traders/:address/performance-by-coin',
  pnls: 'GET /hl/pnls/:address',
  portfolio: 'GET /hl/portfolio/:address/:window',
  smartFind: 'POST /hl/smart/find body',
  ticker: 'GET /hl/tickers/coin/:coin',
  tickers: 'GET /hl/tickers',
  topOpenOrders: 'GET /hl/orders/top-open-orders',
  topTrades: 'GET /hl/fills/top-trades',
  tradersAccounts: 'POST /hl/traders/accounts body addresses=2000',
  tradersClearinghouseState: 'POST /hl/traders/clearinghouse-state body addresses=2000',
  tradersDiscoverHistory: 'POST /hl/traders/discover-history body',
  tradersDiscover: 'POST /hl/traders/discover body',
  tradersSpotClearinghouseState: 'POST /hl/traders/spot-clearinghouse-state body addresses=2000',
  tradersStatistics: 'POST /hl/traders/statistics body addresses=50',
  twapStatesLatest: 'GET /hl/twap-states/:address/latest',
  twapsExecutionWall: 'GET /hl/twaps/execution-wall',
  twapsTopImpact: 'GET /hl/twaps/top-impact',
  whaleDirections: 'GET /hl/whales/directions',
  whaleEvents: 'GET /hl/whales/latest-events',
  whaleLongRatios: 'GET /hl/whales/history-long-ratio',
  whalePositions: 'GET /hl/whales/open-positions',
}
