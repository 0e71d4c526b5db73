/** Open questions: pairs, depth and derivatives history. */
import { declareQuestions } from './question.ts'

export const FUTURES_QUESTIONS = declareQuestions({
  'unknown-pair': {
    question: 'What do full and grouped depth answer for an unknown pair?',
    source: 'Depth rules: only latest-depth is described',
    chosen: 'refuse',
    why: 'The service has been observed to answer HTTP 400 with "Unsupported symbol".',
    answers: {
      refuse: 'HTTP 400 with "Unsupported symbol".',
      empty: 'An empty book.',
    },
  },
  'unknown-symbol': {
    question: 'What do the derivatives histories answer for an unknown symbol?',
    source: 'Futures, index and coin data: not specified',
    chosen: 'refuse',
    why: 'The service has been observed to answer HTTP 400 with "Unsupported symbol".',
    answers: {
      refuse: 'HTTP 400 with "Unsupported symbol".',
      empty: 'An empty list.',
    },
  },
  'latest-depth-size': {
    question: 'How many levels per side does latest-depth return without `size`?',
    source: 'Futures, index and coin data: "default of `size`: not shown"',
    chosen: '100',
    why: 'It is enough for a screen, and well below the limit.',
    answers: { '20': '20.', '100': '100.', '500': 'As many as the cap: 500.' },
  },
  'history-coverage': {
    question: 'Which coins and intervals have funding rates and open interest?',
    source: 'Futures, index and coin data; clients saw less than the documents say',
    chosen: 'all',
    why: 'The contract names every interval and excludes no coin.',
    answers: {
      all: 'All that the contract names.',
      seen: 'Only BTC, and funding rates only in 5m, 15m, 30m and 8h; otherwise an empty list.',
    },
  },
  'history-excess': {
    question: 'Which intervals are returned if more than `limit` follow `start_time`?',
    source: 'Futures, index and coin data: not specified',
    chosen: 'newest',
    why: 'Without `start_time` the newest ones are returned; one rule for both cases is simpler.',
    answers: {
      newest: 'The newest ones before `end_time`.',
      oldest: 'The first ones after `start_time`.',
    },
  },
  'funding-history-code': {
    question: 'Is `code` of the funding-rate history text or a number?',
    source: 'Conventions: "documents `code` as integer although a string is returned"',
    chosen: 'text',
    why: 'The description of the response takes precedence.',
    answers: { text: '`"0"`.', integer: '`0`.' },
  },
  'coin-margin-coins': {
    question: 'Which coins have open interest in coin-margined contracts?',
    source: 'Futures, index and coin data: any `symbol`; the service was seen to refuse some',
    chosen: 'all',
    why: 'The contract excludes no coin.',
    answers: {
      all: 'Every coin with such contracts.',
      btc: 'Only BTC; others get HTTP 400 with "Only BTC-related symbols are supported".',
    },
  },
  'quiet-liquidations': {
    question: 'What does the liquidation history show for an interval without liquidations?',
    source: 'Candle-like history records: not specified',
    chosen: 'zero',
    why: 'A chart needs every interval, and `limit` counts intervals.',
    answers: { zero: 'A record of zeros.', absent: 'None.' },
  },
  'estimated-liquidation-cells': {
    question: 'Are the numbers in the cells of estimated liquidations text?',
    source: 'Candle-like history records: `[from, to, turnover]` without types',
    chosen: 'text',
    why: 'The levels of a book have the same form.',
    answers: { text: 'Decimal text.', number: 'JSON numbers.' },
  },
  'futures-interest-fields': {
    question: 'What are `trade` and `vol_coin` in the list of futures interest?',
    source: 'Futures interest item: names only',
    chosen: 'interest',
    why: 'It is a list of open interest.',
    answers: {
      interest: 'The open interest: its value, and its size in the coin.',
      turnover: 'The trades of 24 hours: turnover, and volume in the coin.',
    },
  },
})
