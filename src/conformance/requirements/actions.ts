import { guarded, type Requirement, stated } from './requirement.ts'

/** The action map: which endpoints and sockets each action opens. */
const OPENS: Readonly<Record<string, readonly string[]>> = {
  HL_TICKERS: ['perpdex.tickers', 'perpdex.ticker'],
  HL_FILLS: ['perpdex.fillsOfAddress', 'perpdex.fillsOfOrder'],
  HL_FILLS_BY_TWAP_ID: ['perpdex.fillsOfTwap'],
  HL_FILLS_BUILDER: ['perpdex.fillsOfBuilder'],
  HL_FILLED_ORDERS: ['perpdex.filledOrdersLatest', 'perpdex.filledOrderById'],
  HL_ORDERS: ['perpdex.ordersLatest', 'perpdex.orderById'],
  HL_PORTFOLIO: ['perpdex.portfolio'],
  HL_PNLS: ['perpdex.pnls'],
  HL_BATCH_PNLS: ['perpdex.batchPnls'],
  HL_BEST_TRADES: ['perpdex.bestTrades'],
  HL_PERFORMANCE_BY_COIN: ['perpdex.performanceByCoin'],
  HL_ADDR_STAT: ['perpdex.addrStat'],
  HL_COMPLETED_TRADES: ['perpdex.completedTrades'],
  HL_OPEN_INTEREST_SUMMARY: ['perpdex.openInterestSummary'],
  HL_OPEN_INTEREST_TOP_COINS: ['perpdex.openInterestTopCoins'],
  HL_ACCUMULATED_TAKER_DELTA: ['perpdex.accumulatedTakerDelta'],
  HL_ORDERBOOKS_HISTORY_SUMMARIES: ['perpdex.orderbookSummaries'],
  HL_OPEN_INTEREST_HISTORY: ['perpdex.openInterestHistory'],
  HL_KLINES_WITH_TAKER_VOL: ['perpdex.klinesWithTakerVol'],
  HL_TOP_TRADES: ['perpdex.topTrades'],
  HL_TOP_OPEN_ORDERS: ['perpdex.topOpenOrders'],
  HL_ACTIVE_STATS: ['perpdex.activeOrderStats'],
  HL_CURRENT_POSITION_HISTORY: ['perpdex.currentPositionHistory'],
  HL_COMPLETED_POSITION_HISTORY: ['perpdex.completedPositionHistory'],
  HL_CURRENT_POSITION_PNL: ['perpdex.currentPositionPnl'],
  HL_COMPLETED_POSITION_PNL: ['perpdex.completedPositionPnl'],
  HL_CURRENT_POSITION_EXECUTIONS: ['perpdex.currentPositionExecutions'],
  HL_COMPLETED_POSITION_EXECUTIONS: ['perpdex.completedPositionExecutions'],
  HL_MAX_DRAWDOWN: ['perpdex.maxDrawdown'],
  HL_BATCH_MAX_DRAWDOWN: ['perpdex.batchMaxDrawdown'],
  HL_LEDGER_UPDATES_NET_FLOW: ['perpdex.netFlow'],
  HL_BATCH_LEDGER_UPDATES_NET_FLOW: ['perpdex.batchNetFlow'],
  HL_COMPLETED_TRADES_BY_TIME: ['perpdex.completedTradesByTime'],
  HL_TRADERS_ACCOUNTS: ['perpdex.tradersAccounts'],
  HL_TRADERS_STATISTICS: ['perpdex.tradersStatistics'],
  HL_SMART_FIND: ['perpdex.smartFind'],
  HL_TRADERS_DISCOVER: ['perpdex.tradersDiscover'],
  HL_TRADERS_DISCOVER_HISTORY: ['perpdex.tradersDiscoverHistory'],
  HL_WHALES_OPEN_POSITIONS: ['perpdex.whalePositions'],
  HL_WHALES_LATEST_EVENTS: ['perpdex.whaleEvents'],
  HL_WHALES_DIRECTIONS: ['perpdex.whaleDirections'],
  HL_WHALES_HISTORY_LONG_RATIO: ['perpdex.whaleLongRatios'],
  HL_LIQUIDATIONS_STAT: ['perpdex.liquidationsStat'],
  HL_LIQUIDATIONS_STAT_BY_COIN: ['perpdex.liquidationsStatByCoin'],
  HL_LIQUIDATIONS_HISTORY: ['perpdex.liquidationsHistory'],
  HL_LIQUIDATIONS_TOP_POSITIONS: ['perpdex.liquidationsTopPositions'],
  HL_LIQUIDATIONS_MARKET_HEATMAP: [
    'perpdex.liquidationsMarketHeatmap',
    'perpdex.liquidationsEstimatedHeatmap',
  ],
  HL_TWAP_STATES: ['perpdex.twapStatesLatest'],
  HL_TWAP_EXECUTION_PRESSURE: ['perpdex.twapsExecutionWall'],
  HL_TWAP_TOP_IMPACT: ['perpdex.twapsTopImpact'],
  HL_BATCH_ADDR_STAT: ['perpdex.batchAddrStat'],
  HL_INFO: ['perpdex.info'],
  HL_INFO_BATCH_CLEARINGHOUSE_STATE: ['perpdex.tradersClearinghouseState'],
  HL_INFO_BATCH_SPOT_CLEARINGHOUSE_STATE: ['perpdex.tradersSpotClearinghouseState'],
  HL_WS_NODE: [
    ...['trades', 'openOrders', 'clearinghouseState', 'l2Book', 'bbo', 'candle'],
    ...['userFills', 'userNonFundingLedgerUpdates'],
  ],
  HL_WS_FILLS: ['addressFills'],
  HL_WS_FILLED_ORDERS: ['addressFilledOrders'],
  HL_WS_CLEARINGHOUSE_STATE: ['addressClearinghouseState'],
}

const SECTION = 'Endpoints: Action map'

/** What each action opens, and what the map says besides. */
export const ACTION_MAP: readonly Requirement[] = [
  ...stated(
    SECTION,
    Object.fromEntries(
      Object.entries(OPENS).map(([action, ids]) => [
        `action.${action}`,
        guarded(`${action} is asked for by ${ids.join(' and ')}, and nothing else is.`, ...ids),
      ]),
    ),
  ),
  ...stated(SECTION, {
    'action.infoIsOne': 'With HL_INFO every type of POST /info is allowed; no type is asked apart.',
    'action.reserved': 'Reserved actions can be named in a level and open nothing.',
  }),
]
