import { needed, type Requirement, shown, stated } from './requirement.ts'

/** The perpetual DEX over REST. */
export const PERPDEX: readonly Requirement[] = [
  ...stated('Endpoints: Perpetual-DEX REST', {
    'operation.perpdex.tickers': shown('GET /tickers answers all tickers.', 'perpdex.tickers'),
    'operation.perpdex.ticker': shown(
      'GET /tickers/coin/:coin answers the ticker of a coin.',
      'perpdex.ticker',
    ),
    'operation.perpdex.fillsOfAddress': shown(
      'GET /fills/:address answers fills in order of time.',
      'perpdex.fillsOfAddress',
    ),
    'perpdex.fillsOfAddress.order': 'Fills of an address are in order of time.',
    'perpdex.coin': 'An optional coin narrows an answer to that coin.',
    'operation.perpdex.fillsOfOrder': shown(
      'GET /fills/oid/:oid answers the fills of an order.',
      'perpdex.fillsOfOrder',
    ),
    'operation.perpdex.fillsOfTwap': shown(
      'GET /fills/twapid/:twapid answers the fills of a TWAP.',
      'perpdex.fillsOfTwap',
    ),
    'operation.perpdex.fillsOfBuilder': shown(
      'GET /fills/builder/:builder/latest answers the fills through a builder.',
      'perpdex.fillsOfBuilder',
    ),
    'perpdex.fillsOfBuilder.minVal': "minVal leaves out the builder's fills of a smaller value.",
    'operation.perpdex.topTrades': shown(
      'GET /fills/top-trades answers trades by value.',
      'perpdex.topTrades',
    ),
    'perpdex.topTrades.required': needed('Top trades need interval and coin.', 'perpdex.topTrades'),
    'perpdex.topTrades.order': 'Top trades come with the greatest value first.',
    'operation.perpdex.filledOrdersLatest': shown(
      'GET /filled-orders/:address/latest answers filled orders, newest first.',
      'perpdex.filledOrdersLatest',
    ),
    'perpdex.filledOrders.order': 'Filled orders come newest first.',
    'operation.perpdex.filledOrderById': shown(
      'GET /filled-orders/oid/:oid answers an order, or null.',
      'perpdex.filledOrderById',
    ),
    'operation.perpdex.ordersLatest': shown(
      'GET /orders/:address/latest answers orders of every status, newest first.',
      'perpdex.ordersLatest',
    ),
    'perpdex.orders.order': 'Orders come newest first.',
    'operation.perpdex.orderById': shown(
      'GET /orders/oid/:oid answers an order, or null.',
      'perpdex.orderById',
    ),
    'operation.perpdex.topOpenOrders': shown(
      'GET /orders/top-open-orders answers the largest open orders.',
      'perpdex.topOpenOrders',
    ),
    'perpdex.topOpenOrders.minVal': 'min_val leaves out open orders of a smaller value.',
    'operation.perpdex.activeOrderStats': shown(
      'GET /orders/active-stats answers counts and values of open orders.',
      'perpdex.activeOrderStats',
    ),
    'perpdex.activeStats.threshold': 'A higher whale_threshold never finds more whale orders.',
    'operation.perpdex.portfolio': shown(
      'GET /portfolio/:address/:window answers curves of value and PnL.',
      'perpdex.portfolio',
    ),
    'perpdex.portfolio.windows': 'window of a portfolio is day, week, month or allTime.',
    'operation.perpdex.completedPositionHistory': shown(
      'GET .../completed-position-history/:coin answers the history of a position.',
      'perpdex.completedPositionHistory',
    ),
    'operation.perpdex.currentPositionPnl': shown(
      'GET .../current-position-pnl/:coin answers PnL of the position.',
      'perpdex.currentPositionPnl',
    ),
    'operation.perpdex.completedPositionPnl': shown(
      'GET .../completed-position-pnl/:coin answers PnL of a completed position.',
      'perpdex.completedPositionPnl',
    ),
    'operation.perpdex.currentPositionExecutions': shown(
      'GET .../current-position-executions/:coin answers executions.',
      'perpdex.currentPositionExecutions',
    ),
    'operation.perpdex.completedPositionExecutions': shown(
      'GET .../completed-position-executions/:coin answers executions.',
      'perpdex.completedPositionExecutions',
    ),
    'perpdex.position.intervals': 'interval of position records goes from 15m to 1d.',
    'perpdex.position.times':
      'startTime and endTime of a completed position are its openTime and closeTime.',
    'operation.perpdex.tradersAccounts': shown(
      'POST /traders/accounts answers accounts.',
      'perpdex.tradersAccounts',
    ),
    'operation.perpdex.tradersStatistics': shown(
      'POST /traders/statistics answers statistics.',
      'perpdex.tradersStatistics',
    ),
    'perpdex.statistics.period':
      'period of statistics is in days, 7 when left out and 0 for all time.',
    'operation.perpdex.tradersClearinghouseState': shown(
      'POST /traders/clearinghouse-state answers states by address.',
      'perpdex.tradersClearinghouseState',
    ),
    'perpdex.state.addresses': needed(
      'The two state batches need addresses.',
      'perpdex.tradersClearinghouseState',
      'perpdex.tradersSpotClearinghouseState',
    ),
    'perpdex.state.dex': 'dex of account states is the main dex when left out or empty.',
    'operation.perpdex.tradersSpotClearinghouseState': shown(
      'POST /traders/spot-clearinghouse-state answers spot states by address.',
      'perpdex.tradersSpotClearinghouseState',
    ),
    'operation.perpdex.whaleEvents': shown(
      'GET /whales/latest-events answers whale events.',
      'perpdex.whaleEvents',
    ),
    'operation.perpdex.whaleDirections': shown(
      'GET /whales/directions answers two counts.',
      'perpdex.whaleDirections',
    ),
    'operation.perpdex.liquidationsStat': shown(
      'GET /liquidations/stat answers liquidation statistics.',
      'perpdex.liquidationsStat',
    ),
    'operation.perpdex.completedTrades': shown(
      'Completed trades have the openTime and closeTime of positions.',
      'perpdex.completedTrades',
    ),
    'operation.perpdex.completedTradesByTime': shown(
      'POST .../completed-trades/by-time answers completed trades too.',
      'perpdex.completedTradesByTime',
    ),
    'operation.perpdex.info': shown(
      'POST /info is one endpoint, routed by type in its body.',
      'perpdex.info',
    ),
  }),
]
