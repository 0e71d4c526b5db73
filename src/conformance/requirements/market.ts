import { chosen, guarded, needed, type Requirement, shown, stated } from './requirement.ts'

/** Stocks, futures, indexes and coins. */
export const MARKET: readonly Requirement[] = [
  ...stated('Endpoints: Crypto stock', {
    'operation.stock.quotes': shown(
      'GET /crypto_stock/quotes answers the quotes of the tickers that are named.',
      'stock.quotes',
    ),
    'stock.quotes.default': 'Without tickers the quotes of a default pair are answered.',
    'stock.quotes.tickers': 'tickers are i:<symbol>:<market>, separated by commas.',
    'operation.stock.company': shown(
      'GET /crypto_stock/company/{symbol} answers the company.',
      'stock.company',
    ),
    'operation.stock.topGainer': shown(
      'GET /crypto_stock/top-gainer answers stocks by their gain.',
      'stock.topGainer',
    ),
    'operation.stock.topGainerByPost': 'POST /crypto_stock/top-gainer answers the same as GET.',
    'stock.topGainer.order': 'Top gainers are ranked by their change of price.',
    'stock.topGainer.markets': 'us_stock and hk_stock choose the markets of the top gainers.',
    'stock.topGainer.noIndexes': 'Indexes are not among the top gainers.',
  }),
  ...stated('Endpoints: Futures, index and coin data', {
    'operation.futures.interest': shown(
      'GET /futures/interest answers a page of interest items.',
      'futures.interest',
    ),
    'futures.interest.currency': 'currency of the interest list is cny or usd.',
    'operation.index.price': shown(
      'GET /index/indexPrice answers the price of an index.',
      'index.price',
    ),
    'index.price.key': 'The key of an index price is one that the index list has.',
    'operation.index.info': shown(
      'GET /index/indexInfo answers the description of an index.',
      'index.info',
    ),
    'index.info.lan': chosen('lan of the index info is en or cn.', 'index.info'),
    'operation.index.list': shown(
      'GET /index/getIndex answers a list and its count.',
      'index.list',
    ),
    'operation.indicator.tradingPairs': shown(
      'GET /indicatorKline/getTradingPair answers pairs of texts.',
      'indicator.tradingPairs',
    ),
    'indicator.tradingPairs.required': needed(
      'getTradingPair needs coinType and indicator_key.',
      'indicator.tradingPairs',
    ),
    'operation.indicator.records': shown(
      'Indicator k-lines answer an object kline_data.',
      'indicator.records',
    ),
    'indicator.records.openTime': 'open_time of indicator k-lines is 0 or 8.',
    'operation.coin.list': shown('GET /coin answers all coins.', 'coin.list'),
    'operation.coin.ticker': shown(
      'GET /coin/ticker answers a ticker for each coin of coin_list.',
      'coin.ticker',
    ),
    'operation.coin.config': shown(
      'GET /coin/config answers a profile for each coin of coin_list.',
      'coin.config',
    ),
    'coin.ticker.list':
      'coin_list is coin keys separated by commas, and the answer is of these coins.',
    'operation.futures.fundingRateHistory': shown(
      'GET /futures/funding-rate/history answers history records.',
      'futures.fundingRateHistory',
    ),
    'futures.history.intervals': chosen(
      'Funding-rate history knows twelve intervals from 1m to 1w.',
      'futures.fundingRateHistory',
      'futures.weightedFundingRateHistory',
      'futures.stablecoinInterestHistory',
    ),
    'operation.futures.weightedFundingRateHistory': shown(
      'GET /futures/funding-rate/vol-weight-history answers for a pair without exchange.',
      'futures.weightedFundingRateHistory',
    ),
    'operation.futures.stablecoinInterestHistory': shown(
      'GET .../aggregated-stablecoin-history answers open interest in the coin.',
      'futures.stablecoinInterestHistory',
    ),
    'operation.futures.coinMarginInterestHistory': shown(
      'GET .../aggregated-coin-margin-history answers open interest in USD.',
      'futures.coinMarginInterestHistory',
    ),
    'futures.coinMargin.intervals': chosen(
      'Coin-margined interest knows 1m, 2m, 15m and 30m.',
      'futures.coinMarginInterestHistory',
    ),
    'operation.futures.liquidationHistory': shown(
      'GET /futures/liquidation/history answers liquidation records.',
      'futures.liquidationHistory',
    ),
    'futures.liquidation.intervals': chosen(
      'Liquidation history knows 1m, 2m, 15m and 30m.',
      'futures.liquidationHistory',
    ),
    'operation.futures.estimatedLiquidationHistory': shown(
      'GET /futures/estimated-liquidation/history answers estimates.',
      'futures.estimatedLiquidationHistory',
    ),
    'futures.estimated.leverage':
      'leverage 10, 25, 50 or 100 answers that leverage only, empty all four.',
    'futures.estimated.cycle': chosen('cycle is 24h or 7d.', 'futures.estimatedLiquidationHistory'),
    'futures.history.window': 'start_time and end_time bound the records of a history.',
    'permission.FUNDING_RATE_HISTORY': guarded(
      'Funding-rate history needs futures:FUNDING_RATE_HISTORY.',
      'futures.fundingRateHistory',
    ),
    'permission.WEIGHTED_FUNDING_RATE': guarded(
      'The weighted history needs futures:WEIGHTED_FUNDING_RATE.',
      'futures.weightedFundingRateHistory',
    ),
    'permission.STABLECOIN_MARGIN_POSITION': guarded(
      'Stablecoin interest needs futures:STABLECOIN_MARGIN_POSITION.',
      'futures.stablecoinInterestHistory',
    ),
    'permission.COIN_MARGIN_POSITION': guarded(
      'Coin-margined interest needs futures:COIN_MARGIN_POSITION.',
      'futures.coinMarginInterestHistory',
    ),
    'permission.LIQUIDATION_ORDERS': guarded(
      'Liquidation history needs futures:LIQUIDATION_ORDERS.',
      'futures.liquidationHistory',
    ),
    'permission.ESTIMATED_LIQUIDATION_HISTORY': guarded(
      'Estimates need futures:ESTIMATED_LIQUIDATION_HISTORY.',
      'futures.estimatedLiquidationHistory',
    ),
    'permission.LATEST_DEPTH': guarded('latest-depth needs LATEST_DEPTH.', 'futures.latestDepth'),
    'permission.FULL_DEPTH': guarded('full-depth needs FULL_DEPTH.', 'futures.fullDepth'),
    'permission.FULL_DEPTH_GROUPED': guarded(
      'Grouped depth needs FULL_DEPTH_GROUPED.',
      'futures.groupedDepth',
    ),
    'operation.futures.latestDepth': shown(
      'GET /futures/latest-depth answers a snapshot of a pair.',
      'futures.latestDepth',
    ),
    'operation.futures.fullDepth': shown(
      'GET /futures/full-depth answers the whole book with code "0".',
      'futures.fullDepth',
    ),
    'operation.futures.groupedDepth': shown(
      'GET /futures/full-depth/grouped answers the book in intervals.',
      'futures.groupedDepth',
    ),
    'depth.dbKey': needed(
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
