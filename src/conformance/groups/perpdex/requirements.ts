/** Requirements of the contract on the perpetual DEX. */

import {
  byAnswers,
  byRequired,
  type Requirement,
  requirementsOfSection,
} from '../../requirement.ts'

/** Requirements of the contract on the perpetual DEX over REST. */
export const PERPDEX_REQUIREMENTS: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Perpetual-DEX REST', {
    'perpdex.fillsOfAddress.order': 'Fills of an address are in order of time.',
    'perpdex.coin': 'An optional coin filters an answer by that coin.',
    'perpdex.fillsOfBuilder.minVal': "minVal omits the builder's fills of a smaller value.",
    'perpdex.topTrades.required': byRequired(
      'Top trades need interval and coin.',
      'perpdex.topTrades',
    ),
    'perpdex.topTrades.order': 'Top trades are listed with the greatest value first.',
    'perpdex.filledOrders.order': 'Filled orders are listed newest first.',
    'perpdex.orders.order': 'Orders are listed newest first.',
    'perpdex.topOpenOrders.minVal': 'min_val omits open orders of a smaller value.',
    'perpdex.activeStats.threshold': 'A higher whale_threshold never finds more whale orders.',
    'perpdex.portfolio.windows': 'window of a portfolio is day, week, month or allTime.',
    'perpdex.position.intervals': 'interval of position records goes from 15m to 1d.',
    'perpdex.position.times':
      'startTime and endTime of a completed position are its openTime and closeTime.',
    'perpdex.statistics.period':
      'period of statistics is in days, 7 by default and 0 for all time.',
    'perpdex.state.addresses': byRequired(
      'The two state batches need addresses.',
      'perpdex.tradersClearinghouseState',
      'perpdex.tradersSpotClearinghouseState',
    ),
    'perpdex.state.dex': 'dex of account states is the main dex by default or when empty.',
  }),
  ...requirementsOfSection('Resources: Perpetual-DEX records', {
    'record.ticker': byAnswers(
      'A ticker has coin and price as text.',
      'perpdex.tickers',
      'perpdex.ticker',
    ),
    'record.fill': byAnswers(
      'A fill shows coin, side, price, size, time in ms and order.',
      'perpdex.fillsOfAddress',
      'perpdex.fillsOfOrder',
    ),
    'record.nativeFill': byAnswers(
      'A native fill has all fields of the venue, a whole oid and tid, and a nullable ' + 'twapId.',
      'addressFills',
      'userFills',
    ),
    'record.builderFill': byAnswers(
      'A fill through a builder has builderFee too.',
      'perpdex.fillsOfBuilder',
    ),
    'record.topTrade': byAnswers(
      'A top trade has time, address, coin, side, oid, isTaker, px, sz, val and ' + 'endPosition.',
      'perpdex.topTrades',
    ),
    'record.topTrade.value': 'val of a top trade is px times sz.',
    'record.order': byAnswers(
      'An order has oid, coin, side, price, size, filled size, status and time.',
      'perpdex.ordersLatest',
      'perpdex.filledOrdersLatest',
      'perpdex.orderById',
      'perpdex.filledOrderById',
    ),
    'record.topOpenOrder': byAnswers(
      'A top open order has its owner, sizes, limit, value, tif and distance.',
      'perpdex.topOpenOrders',
    ),
    'record.topOpenOrder.value': 'val of a top open order is limitPx times sz.',
    'record.topOpenOrder.distance': 'distPct is the distance from the last trade price in percent.',
    'record.activeStats': byAnswers(
      'Active order stats have three whole counts and eight values of bids, asks and ' + 'whales.',
      'perpdex.activeOrderStats',
    ),
    'record.activeStats.counts':
      'bidCount and askCount of active order stats add up to totalCount.',
    'record.account': byAnswers(
      'An account of the batch has eleven fields, a whole currentPosition and a nullable ' +
        'leverage.',
      'perpdex.tradersAccounts',
    ),
    'record.account.spot': 'spotValue of an account is never negative.',
    'record.account.total':
      'totalValue of an account includes its spotValue if its perpetual equity is not negative.',
    'record.account.perp': 'perpValue of an account is its perpetual equity on the main dex.',
    'record.account.builderPerp': 'builderPerpValue is the equity on builder dexes.',
    'record.statistics': byAnswers(
      'Statistics are an account with its record of trades and a nullable pnlList.',
      'perpdex.tradersStatistics',
    ),
    'record.statistics.sums':
      'In statistics, the long and short PnL add up to the realized PnL, and win rates are ' +
      'fractions.',
    'record.state.sums':
      'The positions of an account state add up to its margin summary, in value and in margin.',
    'record.statistics.pnlList': 'pnlList of statistics is a curve on request, otherwise null.',
    'record.state': byAnswers(
      'A perpetual account state has summaries, positions and a time in ms.',
      'perpdex.tradersClearinghouseState',
      'addressClearinghouseState',
    ),
    'record.state.address': 'Each account state names its address.',
    'record.state.leverage': byAnswers(
      'leverage of a position has type, value and a rawUsd that may be null.',
      'perpdex.tradersClearinghouseState',
    ),
    'record.state.liquidationPx': byAnswers(
      'liquidationPx of a position is text or null.',
      'perpdex.tradersClearinghouseState',
    ),
    'record.state.cumFunding': byAnswers(
      'cumFunding of a position has allTime, sinceOpen and sinceChange.',
      'perpdex.tradersClearinghouseState',
    ),
    'record.spotState': byAnswers(
      'A spot state has balances of coin, whole token, total, hold and entryNtl.',
      'perpdex.tradersSpotClearinghouseState',
    ),
    'record.whaleEvent': byAnswers(
      'A whale event has user, symbol, margin mode, sizes, prices, a whole action and an ' +
        'ISO time.',
      'perpdex.whaleEvents',
    ),
    'record.whaleDirections': byAnswers(
      'Whale directions have the whole numbers longCount and shortCount.',
      'perpdex.whaleDirections',
    ),
    'record.positionHead': byAnswers(
      'A position record has address, coin, direction long or short, cross and an ISO ' +
        'startTime.',
      'perpdex.currentPositionPnl',
      'perpdex.currentPositionExecutions',
      'perpdex.completedPositionPnl',
      'perpdex.completedPositionExecutions',
    ),
    'record.positionEnd': 'Only a completed position has an endTime.',
    'record.positionPnl': byAnswers(
      'A PnL record has interval and pnls of time, size, positionValue and unrealizedPnl.',
      'perpdex.currentPositionPnl',
      'perpdex.completedPositionPnl',
    ),
    'record.executions': byAnswers(
      'An executions record has counts, sizes and nullable average prices of both sides.',
      'perpdex.currentPositionExecutions',
      'perpdex.completedPositionExecutions',
    ),
    'record.positionHistory': byAnswers(
      'A position history has snapshots with time in ms, size, entry price, leverage, ' +
        'margin and PnL.',
      'perpdex.currentPositionHistory',
      'perpdex.completedPositionHistory',
    ),
  }),
  ...requirementsOfSection('States and transitions', {
    'state.order.status':
      'The status of an order is filled or cancelled, as spelled in the examples.',
  }),
  ...requirementsOfSection('Versioning', {
    'version.builderPerpValue': byAnswers(
      'Accounts and statistics have builderPerpValue.',
      'perpdex.tradersAccounts',
      'perpdex.tradersStatistics',
    ),
  }),
]
