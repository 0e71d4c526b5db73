import { byAnswers, type Requirement, requirementsOfSection } from './requirement.ts'

/** Crypto-related stocks. */
export const STOCK: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Crypto stock', {
    'stock.quotes.default': 'Without tickers, the answer has the quotes of a default pair.',
    'stock.quotes.tickers': 'tickers are i:<symbol>:<market>, separated by commas.',
    'stock.topGainer.byPost': 'POST /crypto_stock/top-gainer returns the same as GET.',
    'stock.topGainer.order': 'Top gainers are ranked by their change of price.',
    'stock.topGainer.markets': 'us_stock and hk_stock select the markets of the top gainers.',
    'stock.topGainer.noIndexes': 'Indexes are not among the top gainers.',
  }),
  ...requirementsOfSection('Resources: Crypto stock', {
    'record.quote': byAnswers(
      'A quote has ticker and company_name as text, eight numbers and a whole timestamp.',
      'stock.quotes',
    ),
    'record.company': byAnswers('A company has six texts and four numbers.', 'stock.company'),
    'record.gainer': byAnswers(
      'A top gainer has prices and changes as numbers, whole volume, market_cap and ' +
        'update_time.',
      'stock.topGainer',
      'stock.topGainerByPost',
    ),
    'record.gainer.market': 'A top gainer is of the market US in USD, or HK in HKD.',
  }),
]
