/** Limits of lists: requests for more rows than the limit. */
import type { RequestedMarket } from '../../fixtures/requested-market.ts'
import type { CapTrials } from './cap.ts'

const DAY_MS = 86_400_000

const busiest = ({ persona }: RequestedMarket) => ({ path: { address: persona('busiest') } })

/** The busiest account's positions with many executions are in the most traded coin. */
const ownPosition = ({ persona, cast }: RequestedMarket) => ({
  path: { address: persona('busiest'), coin: cast.coins[0] as string },
  query: { interval: '15m' },
})

function closedPosition(market: RequestedMarket) {
  const { path, query } = ownPosition(market)
  const closed = market.ask('GET', '/hl/traders/:address/completed-trades', {
    path: { address: path.address },
    query: { coin: path.coin },
  }) as { openTime: number }[]
  return { path, query: { ...query, startTime: String(closed[0]?.openTime) } }
}

const ofLists = (rows: 'pnls' | 'executions') => (data: Record<typeof rows, unknown[]>) =>
  data[rows]

const minutes = (symbol: string) => () => ({ query: { symbol, interval: '1m' } })

/** Trials by `<operation> <parameter>`. */
export const LIMIT_TRIALS: CapTrials = {
  'content.exchangeListingFlash pageSize': {
    request: () => ({ query: { memberIds: '477,1509,1001,1002,1003' } }),
  },
  'content.newsList pageSize': {},
  'content.rssNewsList pageSize': {},
  'futures.coinMarginInterestHistory limit': { request: minutes('BTC') },
  'futures.estimatedLiquidationHistory limit': {
    request: () => ({ query: { dbkey: 'btcswapusdt:binance', cycle: '7d' } }),
  },
  'futures.fundingRateHistory limit': { request: minutes('btcswapusdt:binance') },
  'futures.interest pageSize': {},
  'futures.latestDepth size': {
    request: () => ({ query: { dbKey: 'btcswapusdc:hl' } }),
    rows: ({ bids }: { bids: unknown[] }) => bids,
  },
  'futures.liquidationHistory limit': { request: minutes('btcswapusdt:binance') },
  'futures.stablecoinInterestHistory limit': { request: minutes('BTC') },
  'futures.weightedFundingRateHistory limit': { request: minutes('btcswapusdt') },
  'indicator.klines size': {
    request: () => ({ query: { symbol: 'btcusdt:okex', period: '900' } }),
  },
  'indicator.records size': {
    request: () => ({
      query: { symbol: 'btcswapusdt:binance', indicator_key: 'fundflow', period: '900' },
    }),
    rows: ({ kline_data }: { kline_data: { time: unknown[] } }) => kline_data.time,
  },
  'perpdex.bestTrades limit': {
    request: (market) => ({ ...busiest(market), query: { period: '30' } }),
  },
  'perpdex.completedPositionExecutions limit': {
    request: closedPosition,
    rows: ofLists('executions'),
  },
  'perpdex.completedPositionPnl limit': { request: closedPosition, rows: ofLists('pnls') },
  'perpdex.completedTradesByTime pageSize': { request: busiest },
  'perpdex.completedTrades limit': { request: busiest },
  'perpdex.currentPositionExecutions limit': { request: ownPosition, rows: ofLists('executions') },
  'perpdex.currentPositionPnl limit': { request: ownPosition, rows: ofLists('pnls') },
  'perpdex.filledOrdersLatest limit': { request: busiest },
  'perpdex.fillsOfAddress limit': { request: busiest },
  'perpdex.fillsOfBuilder limit': {
    request: ({ cast }) => ({ path: { builder: cast.builders[0] as string } }),
  },
  'perpdex.klinesWithTakerVol limit': {
    request: ({ nowMs }) => ({
      path: { coin: 'BTC', interval: '1m' },
      query: { startTime: String(nowMs - 3 * DAY_MS) },
    }),
  },
  'perpdex.liquidationsHistory limit': { request: () => ({ query: { interval: '1h' } }) },
  'perpdex.liquidationsTopPositions limit': {
    request: () => ({ query: { interval: '7d', coin: 'BTC' } }),
  },
  'perpdex.openInterestTopCoins limit': {
    request: () => ({ query: { interval: '7d' } }),
    fewer: { reason: 'a row for each perpetual of the tape', least: 9 },
  },
  'perpdex.ordersLatest limit': { request: busiest },
  'perpdex.performanceByCoin limit': {
    request: ({ persona }) => ({
      path: { address: persona('star') },
      query: { period: '0' },
    }),
    fewer: { reason: 'a row for each perpetual that the account has traded', least: 4 },
  },
  'perpdex.smartFind pageSize': {
    request: () => ({ body: { sort: 'account-balance', period: 0 } }),
  },
  'perpdex.topOpenOrders limit': { request: () => ({ query: { min_val: '0' } }) },
  'perpdex.topTrades limit': { request: () => ({ query: { interval: '7d', coin: 'BTC' } }) },
  'perpdex.tradersDiscover pageSize': { request: () => ({ body: { period: 0 } }) },
  'perpdex.tradersDiscoverHistory pageSize': { request: () => ({ body: { period: 0 } }) },
  'perpdex.twapStatesLatest limit': {
    request: ({ persona }) => ({ path: { address: persona('twapWorker') } }),
  },
  'perpdex.twapsTopImpact limit': {
    fewer: { reason: 'a hundred would take every other trade of the tape', least: 11 },
  },
  'perpdex.whaleEvents limit': {},
  'perpdex.whaleLongRatios limit': { request: () => ({ query: { interval: '10m' } }) },
  'perpdex.whalePositions take': {
    fewer: { reason: 'the open positions of whales in the default world', least: 190 },
  },
}
