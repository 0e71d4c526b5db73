import {
  byAnswers,
  byRequired,
  byValues,
  type Requirement,
  requirementsOfSection,
} from './requirement.ts'

/** Depth, funding rates, open interest and liquidations by pair. */
export const FUTURES: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Futures, index and coin data', {
    'futures.interest.currency': 'currency of the interest list is cny or usd.',
    'futures.history.intervals': byValues(
      'Funding-rate history supports twelve intervals from 1m to 1w.',
      'futures.fundingRateHistory',
      'futures.weightedFundingRateHistory',
      'futures.stablecoinInterestHistory',
    ),
    'futures.coinMargin.intervals': byValues(
      'Coin-margined interest supports 1m, 2m, 15m and 30m.',
      'futures.coinMarginInterestHistory',
    ),
    'futures.liquidation.intervals': byValues(
      'Liquidation history supports 1m, 2m, 15m and 30m.',
      'futures.liquidationHistory',
    ),
    'futures.estimated.leverage':
      'leverage 10, 25, 50 or 100 returns only that leverage, an empty one all four.',
    'futures.estimated.cycle': byValues(
      'cycle is 24h or 7d.',
      'futures.estimatedLiquidationHistory',
    ),
    'futures.history.window': 'start_time and end_time bound the records of a history.',
    'depth.dbKey': byRequired(
      'All three kinds of depth need dbKey.',
      'futures.latestDepth',
      'futures.fullDepth',
      'futures.groupedDepth',
    ),
    'depth.groupSize': 'groupSize is a number above 0, and grouped depth needs it.',
    'depth.empty': 'latest-depth without data is HTTP 200 with empty sides and length 0.',
    'depth.grouped.intervals':
      'A level of grouped depth is the interval from its start to before its end.',
    'depth.grouped.sums': 'A level of grouped depth sums the quantities inside its interval.',
    'depth.grouped.order': 'In grouped depth, bids are in descending and asks in ascending order.',
    'depth.latest.newest':
      'latest-depth shows the newest snapshot: its best prices are those of full-depth.',
  }),
  ...requirementsOfSection('Resources: Candle-like history records', {
    'record.history': byAnswers(
      'Funding and interest history has a whole time in ms and open, high, low and close as ' +
        'text.',
      'futures.fundingRateHistory',
      'futures.weightedFundingRateHistory',
      'futures.stablecoinInterestHistory',
      'futures.coinMarginInterestHistory',
    ),
    'record.history.candle':
      'In a history record, high is the greatest and low the smallest of the four.',
    'record.history.rawRate': 'A funding value is a raw rate, not a percentage.',
    'record.liquidations': byAnswers(
      'Liquidation history has a time in ms and the long and short sums as text.',
      'futures.liquidationHistory',
    ),
    'record.estimated': byAnswers(
      'An estimated-liquidation record has a time, a data_map by leverage and the time of ' +
        'its calculation.',
      'futures.estimatedLiquidationHistory',
    ),
    'record.estimated.mapping':
      'The mapping of estimated liquidations is from, to, turnover, in this order.',
    'record.estimated.cells':
      'Each cell of estimated liquidations has three members, and from is below to.',
  }),
  ...requirementsOfSection('Resources: Depth snapshot', {
    'record.depth': byAnswers(
      'latest-depth has max, asks, bids, now, result, length and ds.',
      'futures.latestDepth',
    ),
    'record.depth.now': 'now of latest-depth is written YYYY-MM-DD HH:mm:ss.',
    'record.depth.result': 'result of latest-depth is success or error, and ds is 1.',
    'record.depth.length': 'length of latest-depth counts the levels of both sides.',
    'record.depth.order':
      'In latest-depth, asks are in ascending and bids in descending order of price.',
    'record.fullDepth': byAnswers(
      'full-depth has a time in ms, an action, bids and asks of price and quantity.',
      'futures.fullDepth',
    ),
    'record.fullDepth.order':
      'In full-depth, bids are in descending and asks in ascending order of price.',
    'record.groupedDepth': byAnswers(
      'Grouped depth is full-depth with groupSize, its levels start, end and total ' + 'quantity.',
      'futures.groupedDepth',
    ),
  }),
  ...requirementsOfSection('Resources: Futures interest item', {
    'record.interest': byAnswers(
      'An interest item has five texts and a trend of times (seconds, as text) and closes.',
      'futures.interest',
    ),
  }),
]
