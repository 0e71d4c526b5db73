import { byLimits, type Requirement, requirementsOfSection } from './requirement.ts'

/** How much. */
export const LIMITS: readonly Requirement[] = [
  ...requirementsOfSection('Limits', {
    'limit.timestamp': 'The 30 seconds of a Timestamp count for every signed request.',
    'limit.idle': 'Pushes of the server do not keep a socket open.',
    'limit.idle.protocol': 'Pings of the WebSocket protocol do not keep a socket open.',
    'limit.idle.all': 'The idle limit of 60 seconds counts for every socket.',
    'limit.heartbeat': 'A heartbeat every 20 to 30 seconds keeps a socket open.',
    'limit.candleGap': 'Two pushes of a candle are at least 0.5 s apart.',
    'limit.pageSize.interest': 'pageSize of futures interest is at most 20.',
    'limit.pageSize.news': byLimits(
      'pageSize of news lists is at most 20.',
      'content.rssNewsList',
      'content.newsList',
    ),
    'limit.pageSize.listing': byLimits(
      'pageSize of listing flashes is 20 by default.',
      'content.exchangeListingFlash',
    ),
    'limit.coinList': 'coin_list takes at most 100 coin keys.',
    'limit.memberIds': byLimits('memberIds takes at most 5.', 'content.exchangeListingFlash'),
    'limit.indicatorSize': 'size of indicator k-lines goes from 1 to 500.',
    'limit.depthSize': 'size of latest-depth is cut at 500.',
    'limit.addresses.2000': 'Accounts and states take 2000 addresses; the rest is silently cut.',
    'limit.addresses.50': 'Statistics take 50 addresses; the rest is silently cut.',
    'limit.fills': byLimits(
      'Fills of an address or builder: 1000 by default, at most 2000.',
      'perpdex.fillsOfAddress',
      'perpdex.fillsOfBuilder',
    ),
    'limit.filledOrders': byLimits(
      'Filled orders: 1000 by default, and at most 1000.',
      'perpdex.filledOrdersLatest',
    ),
    'limit.orders': byLimits('Orders: 2000 by default.', 'perpdex.ordersLatest'),
    'limit.topTrades': byLimits('Top trades: 10 by default, at most 100.', 'perpdex.topTrades'),
    'limit.whaleEvents': byLimits(
      'Whale events: 10 by default, at most 100.',
      'perpdex.whaleEvents',
    ),
    'limit.positions': 'Position PnL and executions: 20 by default, at most 1000.',
    'limit.topGainer': byLimits('Top gainers: 50 by default.', 'stock.topGainer'),
    'limit.liquidationHistory': byLimits(
      'Liquidation history: 10 by default.',
      'futures.liquidationHistory',
    ),
    'limit.estimated': byLimits(
      'Estimated-liquidation history: 100 by default.',
      'futures.estimatedLiquidationHistory',
    ),
    'limit.subKeys': 'A distributor has at most max_sub_keys sub keys.',
    'limit.totalQuota': 'The quotas of all sub keys together stay within max_total_quota a month.',
    'limit.level.timeRange':
      'max_time_range of a level limits, in seconds, the time range that its sub keys may ' +
      'request, in any form of request.',
    'limit.level.quota': 'max_request of a level is the monthly quota of its sub keys.',
    'limit.level.rate':
      'request_rate_limit of a level limits the requests of its sub keys per minute.',
  }),
]
