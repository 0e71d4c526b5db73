/** Parts of declared schemas that our own default market does not show, and why. */

type Reasons = Readonly<Record<string, string>>

const named = (reason: string, ...parts: string[]): Reasons =>
  Object.fromEntries(parts.map((part) => [part, reason]))

/** No answer of ours has them, whatever it is asked. */
export const NEVER_SHOWN: Reasons = {
  ...named(
    'one record for open and for closed positions: an open one has no end, a closed one always',
    ...['Pnl', 'Executions', 'History'].flatMap((of) => [
      `perpdex.currentPosition${of}.endTime there`,
      `perpdex.completedPosition${of}.endTime left out`,
    ]),
  ),
  ...named(
    'snapshots of a closed position have no effective leverage, those of an open one always',
    'perpdex.completedPositionHistory.history[].effLeverage there',
    'perpdex.completedPositionHistory.history[].effLeverage | string',
    'perpdex.completedPositionHistory.history[].effLeverage | null',
    'perpdex.currentPositionHistory.history[].effLeverage left out',
  ),
  ...named(
    'snapshots of a closed position never call the liquidation price so',
    'perpdex.completedPositionHistory.history[].liqPrice there',
    'perpdex.completedPositionHistory.history[].liqPrice | string',
    'perpdex.completedPositionHistory.history[].liqPrice | null',
  ),
  ...named(
    'leverage of an account is always null, as it was seen',
    'perpdex.tradersAccounts[].leverage | string',
    'perpdex.tradersStatistics[].leverage | string',
    'perpdex.smartFind[].leverage | string',
    'perpdex.smartFind.list[].leverage | string',
  ),
  ...named(
    'a market has prices from its first instant on',
    'mix.lsRatio.detail | null',
    'mix.fundcoTrust.detail | null',
    'mix.stockMarket.detail | null',
  ),
  'futures.latestDepth.result | error': 'a book that cannot be read is left to scenarios',
  'content.newsDetail.source left out': 'every article of ours has a source',
  'perpdex.twapStatesLatest[].status = error': 'no TWAP of ours ends by an error',
}

/** Some markets have shown them for a while; it depends on what happens there. */
export const SELDOM_SHOWN: Reasons = {
  ...named(
    'few flashes are of this kind: they come by the week or with a new high of the index',
    ...[1, 3, 5, 6, 10, 14, 15, 16, 19, 20, 21, 23, 24, 26, 27, 28].map(
      (type) => `content.flashList[].flashType | ${type}`,
    ),
  ),
  ...named(
    'only orders on a trigger have no time in force, and few traders place them',
    ...['orderById', 'filledOrderById', 'filledOrdersLatest[]', 'ordersLatest[]'].map(
      (of) => `perpdex.${of}.order.tif | null`,
    ),
    'openOrders.orders[].tif | null',
    'addressFilledOrders.tif | null',
    'perpdex.topOpenOrders[].tif | null',
  ),
  ...named(
    'orders taken back, asked for by accounts that took some back in this span',
    ...['orderById', 'filledOrderById', 'filledOrdersLatest[]', 'ordersLatest[]'].map(
      (of) => `perpdex.${of}.status = canceled`,
    ),
    'addressFilledOrders.status = cancelled',
    'addressFilledOrders.status = canceled',
  ),
  ...named(
    'the order whose fills are asked for is one of many, and few are of a TWAP',
    'perpdex.fillsOfOrder[].twapId | integer',
  ),
  ...named(
    'only a liquidation that the book could not take is taken over',
    'perpdex.fillsOfAddress[].liquidation.method | backstop',
    'perpdex.fillsOfOrder[].liquidation.method | backstop',
    'userFills.fills[].liquidation.method | backstop',
  ),
  ...named(
    'a position that cannot be liquidated is small against its account',
    'clearinghouseState.clearinghouseState.assetPositions[].position.liquidationPx | null',
    'perpdex.currentPositionHistory.history[].liquidationPx | null',
    'perpdex.completedPositionHistory.history[].liquidationPx | null',
    'perpdex.currentPositionHistory.history[].liqPrice | null',
    'perpdex.whaleEvents[].liqPrice | null',
  ),
  ...named(
    'who has no equity and a position is soon liquidated',
    'perpdex.currentPositionHistory.history[].effLeverage | null',
  ),
  ...named(
    'who has never placed an order is found by few searches',
    'perpdex.tradersDiscover.list[].oaLastOrderAt | null',
    'perpdex.tradersDiscoverHistory.list[].oaLastOrderAt | null',
  ),
  ...named(
    'slices of a TWAP through a builder are rare, and its native fills name the TWAP',
    'perpdex.fillsOfBuilder[].twapId | integer',
    'perpdex.fillsOfTwap[].twapId | null',
    'perpdex.fillsOfTwap[].builderFee there',
  ),
  ...named(
    'few orders carry an id of their client, and few end by a liquidation',
    'perpdex.filledOrderById.order.cloid | string',
    'perpdex.fillsOfOrder[].cloid there',
    'perpdex.fillsOfOrder[].builderFee there',
    'perpdex.fillsOfOrder[].liquidation there',
    'perpdex.fillsOfOrder[].liquidation.method | market',
    'userFills.fills[].builderFee there',
  ),
  ...named(
    'few orders are looked at between their first fill and their last',
    'perpdex.filledOrderById.status = open',
    'addressFilledOrders.status = open',
  ),
  ...named(
    'what those who are asked about have done so far',
    'perpdex.filledOrdersLatest[].status = open',
    'clearinghouseState.clearinghouseState.assetPositions[].position.leverage.type | cross',
    'clearinghouseState.clearinghouseState.assetPositions[].position.leverage.rawUsd left out',
  ),
  ...named(
    'prices that have gone one way only',
    'content.aiCoins.list[].trend | fall',
    'signal.alerts.list[].side | buy',
    'signal.alerts.list[].side | sell',
  ),
  'perpdex.topTrades[].endPosition | null': 'a large trade of the crowd, which has no positions',
  'perpdex.topOpenOrders[].distPct | null': 'a coin with open orders has been traded',
  'userNonFundingLedgerUpdates.isSnapshot left out':
    'deposits and withdrawals are too rare to wait for',
  'addressFills.builderFee there': 'a fill through a builder in the seconds that are waited for',
}
