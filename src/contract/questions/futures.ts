/** Open questions: pairs, depth and derivatives history. */
import { declareQuestions } from './question.ts'

export const FUTURES_QUESTIONS = declareQuestions({
  'unknown-pair': {
    question: 'What do full and grouped depth answer for a pair that is not known?',
    source: 'Depth rules: only latest-depth is described',
    chosen: 'refuse',
    why: 'The service was seen to answer HTTP 400 with "Unsupported symbol".',
    answers: {
      refuse: 'HTTP 400 with "Unsupported symbol".',
      empty: 'An empty book.',
    },
  },
  'unknown-symbol': {
    question: 'What do the histories of derivatives answer for a symbol that is not known?',
    source: 'Futures, index and coin data: not said',
    chosen: 'refuse',
    why: 'The service was seen to answer HTTP 400 with "Unsupported symbol".',
    answers: {
      refuse: 'HTTP 400 with "Unsupported symbol".',
      empty: 'An empty list.',
    },
  },
  'latest-depth-size': {
    question: 'How many levels a side does latest-depth give when `size` is left out?',
    source: 'Futures, index and coin data: "default of `size`: not shown"',
    chosen: '100',
    why: 'Enough for a screen, and well below the cap.',
    answers: { '20': '20.', '100': '100.', '500': 'As many as the cap: 500.' },
  },
  'history-coverage': {
    question: 'For which coins and intervals are there funding rates and open interest?',
    source: 'Futures, index and coin data; clients saw less than the documents say',
    chosen: 'all',
    why: 'The contract names every interval and speaks of no coin that is left out.',
    answers: {
      all: 'For all that the contract names.',
      seen: 'For BTC only, and funding rates only in 5m, 15m, 30m and 8h; else an empty list.',
    },
  },
  'history-excess': {
    question: 'Which intervals are answered when more than `limit` follow `start_time`?',
    source: 'Futures, index and coin data: not said',
    chosen: 'newest',
    why: 'Without `start_time` the newest ones are meant; one rule for both is the simpler one.',
    answers: {
      newest: 'The newest before `end_time`.',
      oldest: 'The first ones from `start_time` on.',
    },
  },
  'funding-history-code': {
    question: 'Is `code` of the funding-rate history text or a number?',
    source: 'Conventions: "documents `code` as integer although a string is returned"',
    chosen: 'text',
    why: 'What is returned counts.',
    answers: { text: '`"0"`.', integer: '`0`.' },
  },
  'coin-margin-coins': {
    question: 'Of which coins is there open interest in coin-margined contracts?',
    source: 'Futures, index and coin data: any `symbol`; the service was seen to refuse some',
    chosen: 'all',
    why: 'The contract speaks of no coin that is left out.',
    answers: {
      all: 'Of every coin with such contracts.',
      btc: 'Of BTC; others are HTTP 400 with "Only BTC-related symbols are supported".',
    },
  },
  'quiet-liquidations': {
    question: 'What does the liquidation history show of an interval without liquidations?',
    source: 'Candle-like history records: not said',
    chosen: 'zero',
    why: 'A chart over time needs its intervals, and `limit` counts them.',
    answers: { zero: 'A record of zeros.', absent: 'Nothing.' },
  },
  'estimated-liquidation-cells': {
    question: 'Are the numbers in the cells of estimated liquidations text?',
    source: 'Candle-like history records: `[from, to, turnover]` without types',
    chosen: 'text',
    why: 'The levels of a book are written so.',
    answers: { text: 'Decimal text.', number: 'JSON numbers.' },
  },
  'futures-interest-fields': {
    question: 'What are `trade` and `vol_coin` in the list of futures interest?',
    source: 'Futures interest item: names only',
    chosen: 'interest',
    why: 'The list is one of open interest.',
    answers: {
      interest: 'The open interest: its value, and in the coin.',
      turnover: 'What was traded in 24 hours: turnover, and volume in the coin.',
    },
  },
})
