/** Open questions: indicators and k-lines. */
import { declareQuestions } from './question.ts'

export const INDICATOR_QUESTIONS = declareQuestions({
  'indicator-form': {
    question: 'What is in `kline_data` of an indicator?',
    source:
      'Perpetual-DEX records: "Fields of `kline_data` (indicator k-line response): not shown"',
    chosen: 'columns',
    why: 'The contract calls it an object.',
    answers: {
      columns: 'A list for each column: `{"time": [...], "value": [...]}`.',
      records: 'A record for each interval: `[{"time": ..., "value": ...}]`.',
    },
  },
  'indicator-unknown': {
    question: 'What do k-lines answer for an unknown pair or indicator?',
    source: 'Futures, index and coin data: not specified; clients saw empty answers',
    chosen: 'empty',
    why: 'Clients have observed it.',
    answers: {
      empty: 'No rows, and columns without values.',
      refuse: 'HTTP 400 with the name of the pair or the parameter.',
    },
  },
  'kline-numbers': {
    question: 'Are the numbers in the rows of plain k-lines text?',
    source: 'Not in the contract; real clients call it and test with numbers',
    chosen: 'number',
    why: 'Clients rely on this form in their tests.',
    answers: { number: 'JSON numbers.', text: 'Decimal text, but for the time.' },
  },
  'kline-since': {
    question: 'Is `since` the end or the start of the k-lines?',
    source: 'Futures, index and coin data: "`since` integer (default current time)"',
    chosen: 'end',
    why: 'There is no data after the current time.',
    answers: {
      end: 'The newest interval contains it.',
      begin: 'The oldest interval contains it; without it, the newest ones are returned.',
    },
  },
  'trading-pair-parts': {
    question: 'What are the two strings of a pair in the list of trading pairs?',
    source: 'Futures, index and coin data: "array of pairs of strings"',
    chosen: 'name',
    why: 'A client needs the symbol for k-lines, and a name to display.',
    answers: {
      name: 'The symbol, `btcswapusdt:binance`, and a name.',
      split: 'The symbol in two, `btcswapusdt` and `binance`.',
    },
  },
  'large-trade-accounts': {
    question: 'What are `buyAccount` and `sellAccount` of the indicator aibst?',
    source: 'Indicator keys: names only',
    chosen: 'accounts',
    why: 'The names of the fields say so.',
    answers: {
      accounts: 'The number of accounts that bought and sold with large orders.',
      value: 'The value bought and sold with large orders, USD.',
    },
  },
  'aggregate-trade-type': {
    question: 'What is `trade_type` of the indicator aiaggtrade?',
    source: 'Indicator keys: names only',
    chosen: 'side',
    why: 'Without it, buys and sells could not be distinguished.',
    answers: { side: '`buy` or `sell`.', market: '`spot` or `futures`.' },
  },
})
