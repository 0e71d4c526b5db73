import { byRequired, type Requirement, requirementsOfSection } from './requirement.ts'

/** The perpetual DEX over REST. */
export const PERPDEX: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Perpetual-DEX REST', {
    'perpdex.fillsOfAddress.order': 'Fills of an address are in order of time.',
    'perpdex.coin': 'An optional coin narrows an answer to that coin.',
    'perpdex.fillsOfBuilder.minVal': "minVal leaves out the builder's fills of a smaller value.",
    'perpdex.topTrades.required': byRequired(
      'Top trades need interval and coin.',
      'perpdex.topTrades',
    ),
    'perpdex.topTrades.order': 'Top trades come with the greatest value first.',
    'perpdex.filledOrders.order': 'Filled orders come newest first.',
    'perpdex.orders.order': 'Orders come newest first.',
    'perpdex.topOpenOrders.minVal': 'min_val leaves out open orders of a smaller value.',
    'perpdex.activeStats.threshold': 'A higher whale_threshold never finds more whale orders.',
    'perpdex.portfolio.windows': 'window of a portfolio is day, week, month or allTime.',
    'perpdex.position.intervals': 'interval of position records goes from 15m to 1d.',
    'perpdex.position.times':
      'startTime and endTime of a completed position are its openTime and closeTime.',
    'perpdex.statistics.period':
      'period of statistics is in days, 7 when left out and 0 for all time.',
    'perpdex.state.addresses': byRequired(
      'The two state batches need addresses.',
      'perpdex.tradersClearinghouseState',
      'perpdex.tradersSpotClearinghouseState',
    ),
    'perpdex.state.dex': 'dex of account states is the main dex when left out or empty.',
  }),
]
