import { signedAccess } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { StockQuote } from '../../records/stock.ts'
import { SymbolName, Type, WithDefault, withKeywords } from '../../schema.ts'

export const stockQuotes = operation({
  id: 'stock.quotes',
  method: 'GET',
  path: '/crypto_stock/quotes',
  title: 'Quotes of crypto-related stocks',
  source: 'Crypto stock',
  envelope: B(),
  access: signedAccess,
  params: {
    query: Type.Object({
      tickers: WithDefault(
        withKeywords(SymbolName('tickers, `i:<symbol>:<market>`, comma-separated'), {
          'x-list': ',',
        }),
        'i:mstr:nasdaq,i:coin:nasdaq',
      ),
    }),
  },
  data: Type.Array(StockQuote),
  assumed: [
    'stock-times',
    'stock-ticker-form',
    'stock-quote-close',
    'stock-quote-day',
    'The default pair is `i:mstr:nasdaq` and `i:coin:nasdaq`.',
    'The answer omits unknown tickers.',
    'Prices follow the price of bitcoin, with their own variation. They change each full minute ' +
      "of their exchange's session (New York 9:30 to 16:00, Hong Kong 9:30 to 12:00 and 13:00 to " +
      '16:00, by local time and holidays); between sessions, the last session is shown.',
  ],
  examples: [
    { name: 'the default pair' },
    { name: 'a stock of each market', query: { tickers: 'i:mara:nasdaq,i:863:hkex' } },
  ],
  answer: ({ query }, { stock }) => stock.quotes(query.tickers.split(',')),
})
