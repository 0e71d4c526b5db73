import { byRequired, byValues, type Requirement, requirementsOfSection } from './requirement.ts'

/** Stocks, futures, indexes and coins. */
export const MARKET_DATA: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Crypto stock', {
    'stock.quotes.default': 'Without tickers the quotes of a default pair are answered.',
    'stock.quotes.tickers': 'tickers are i:<symbol>:<market>, separated by commas.',
    'stock.topGainer.byPost': 'POST /crypto_stock/top-gainer answers the same as GET.',
    'stock.topGainer.order': 'Top gainers are ranked by their change of price.',
    'stock.topGainer.markets': 'us_stock and hk_stock choose the markets of the top gainers.',
    'stock.topGainer.noIndexes': 'Indexes are not among the top gainers.',
  }),
  ...requirementsOfSection('Endpoints: Futures, index and coin data', {
    'futures.interest.currency': 'currency of the interest list is cny or usd.',
    'index.price.key': 'The key of an index price is one that the index list has.',
    'index.info.lan': byValues('lan of the index info is en or cn.', 'index.info'),
    'indicator.tradingPairs.required': byRequired(
      'getTradingPair needs coinType and indicator_key.',
      'indicator.tradingPairs',
    ),
    'indicator.records.openTime': 'open_time of indicator k-lines is 0 or 8.',
    'coin.ticker.list':
      'coin_list is coin keys separated by commas, and the answer is of these coins.',
    'futures.history.intervals': byValues(
      'Funding-rate history knows twelve intervals from 1m to 1w.',
      'futures.fundingRateHistory',
      'futures.weightedFundingRateHistory',
      'futures.stablecoinInterestHistory',
    ),
    'futures.coinMargin.intervals': byValues(
      'Coin-margined interest knows 1m, 2m, 15m and 30m.',
      'futures.coinMarginInterestHistory',
    ),
    'futures.liquidation.intervals': byValues(
      'Liquidation history knows 1m, 2m, 15m and 30m.',
      'futures.liquidationHistory',
    ),
    'futures.estimated.leverage':
      'leverage 10, 25, 50 or 100 answers that leverage only, empty all four.',
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
    'depth.grouped.order': 'In grouped depth bids fall and asks rise.',
    'depth.latest.newest':
      'latest-depth is of the newest snapshot: its best prices are those of full-depth.',
  }),
]
