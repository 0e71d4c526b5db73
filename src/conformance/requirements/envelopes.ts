import { byAnswers, type Requirement, requirementsOfSection } from './requirement.ts'

/** The shape of every request and answer. */
export const ENVELOPES: readonly Requirement[] = [
  ...requirementsOfSection('Versioning', {
    'version.prefix':
      'The segment v2 is part of every path, and /api/upgrade/v2 is the prefix that works.',
  }),
  ...requirementsOfSection('Conventions', {
    'prefix.path': 'Every path is served below /api/upgrade/v2.',
    'prefix.distributor': 'The distributor group is served below /api/upgrade/v2/distributor.',
    'request.query': 'A GET takes its parameters from the query string.',
    'request.body':
      'POST and PUT take business parameters from a JSON body while the signature stays in ' +
      'the query.',
    'envelope.A': byAnswers(
      'Envelope A has success (boolean), errorCode (integer), error (text) and data.',
      'coin.list',
      'coin.ticker',
      'coin.config',
      'index.list',
      'index.price',
      'index.info',
      'futures.interest',
      'mix.lsRatio',
      'mix.nav',
      'mix.fundcoTrust',
      'mix.fundcoScale',
      'mix.liq',
      'mix.stockMarket',
      'signal.alerts',
      'signal.alertConfig',
      'signal.alertSettings',
      'signal.strategies',
      'signal.changes',
      'content.aiCoins',
      'content.newsflash',
      'content.newsList',
    ),
    'envelope.A.success':
      'On success envelope A says success true, errorCode 200 and an empty error.',
    'envelope.A.users': byAnswers(
      'Coin, index, interest, feature, signal and content endpoints answer in envelope A.',
      'coin.list',
      'index.list',
      'futures.interest',
      'mix.nav',
      'signal.alerts',
      'content.newsflash',
      'indicator.tradingPairs',
    ),
    'envelope.B': byAnswers(
      'Envelope B has code (text), msg (text) and data.',
      'stock.quotes',
      'stock.company',
      'stock.topGainer',
      'futures.fullDepth',
      'futures.groupedDepth',
      'futures.liquidationHistory',
      'perpdex.tickers',
    ),
    'envelope.B.users': byAnswers(
      'Stocks, depth, derivatives history and the perpetual DEX answer in envelope B.',
      'stock.quotes',
      'futures.fullDepth',
      'futures.weightedFundingRateHistory',
      'futures.stablecoinInterestHistory',
      'futures.coinMarginInterestHistory',
      'futures.liquidationHistory',
      'perpdex.tickers',
      'perpdex.topTrades',
    ),
    'envelope.B.zero':
      'The code of success in envelope B is the text "0", except for latest-depth.',
    'envelope.B.latestDepth': 'The code of success of latest-depth is the text "200".',
    'envelope.B.message':
      'The funding-rate history names the text of its envelope message, not msg.',
    'envelope.C': 'Envelope C has success, data, and message on success or error on failure.',
    'envelope.C.users': byAnswers(
      'The distributor endpoints answer in envelope C.',
      'distributor.info',
      'distributor.quota',
      'distributor.levels',
      'distributor.level',
    ),
    'numbers.text': 'A number that travels as text is a plain decimal number.',
    'numbers.times': 'Times are whole numbers unless the record says otherwise.',
  }),
]
