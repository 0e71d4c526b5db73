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
    question: 'What do k-lines answer for a pair or an indicator that is not known?',
    source: 'Futures, index and coin data: not said; clients saw empty answers',
    chosen: 'empty',
    why: 'Clients saw it.',
    answers: {
      empty: 'Nothing: no rows, columns without values.',
      refuse: 'HTTP 400 that names the pair or the parameter.',
    },
  },
  'kline-numbers': {
    question: 'Are the numbers in the rows of plain k-lines text?',
    source: 'Not in the contract; real clients call it and test with numbers',
    chosen: 'number',
    why: 'Clients test with it.',
    answers: { number: 'JSON numbers.', text: 'Decimal text, but for the time.' },
  },
  'kline-since': {
    question: 'Is `since` where k-lines end or where they begin?',
    source: 'Futures, index and coin data: "`since` integer (default current time)"',
    chosen: 'end',
    why: 'From the current time on there is nothing.',
    answers: {
      end: 'The newest interval contains it.',
      begin: 'The oldest interval contains it; the newest ones when left out.',
    },
  },
  'trading-pair-parts': {
    question: 'What are the two texts of a pair in the list of trading pairs?',
    source: 'Futures, index and coin data: "array of pairs of strings"',
    chosen: 'name',
    why: 'A client needs the symbol for the k-line, and something to show.',
    answers: {
      name: 'The symbol, `btcswapusdt:binance`, and a name.',
      split: 'The symbol in two, `btcswapusdt` and `binance`.',
    },
  },
  'large-trade-accounts': {
    question: 'What are `buyAccount` and `sellAccount` of the indicator aibst?',
    source: 'Indicator keys: names only',
    chosen: 'accounts',
    why: 'The names say so.',
    answers: {
      accounts: 'How many accounts bought and sold by large orders.',
      value: 'The value of what large orders bought and sold, USD.',
    },
  },
  'aggregate-trade-type': {
    question: 'What is `trade_type` of the indicator aiaggtrade?',
    source: 'Indicator keys: names only',
    chosen: 'side',
    why: 'Without it nothing tells bought from sold.',
    answers: { side: '`buy` or `sell`.', market: '`spot` or `futures`.' },
  },
})
