/** Open questions: crypto-related stocks. */
import { declareQuestions } from './question.ts'

export const STOCK_QUESTIONS = declareQuestions({
  'stock-times': {
    question: 'What is the unit of the times of stocks?',
    source: 'Crypto stock: `timestamp`, `update_time`: integers, no unit',
    chosen: 'ms',
    why: 'The neighbouring endpoints, funding rates and depth, use milliseconds.',
    answers: { ms: 'Milliseconds.', s: 'Seconds.' },
  },
  'stock-ticker-form': {
    question: 'What is the `ticker` of a quote and of a company?',
    source: 'Crypto stock: `ticker` string',
    chosen: 'key',
    why: 'It is what a client requested, and it distinguishes two markets.',
    answers: { key: 'As requested, `i:mstr:nasdaq`.', symbol: 'The symbol alone, `MSTR`.' },
  },
  'stock-quote-close': {
    question: 'What is `close` of a quote during the day?',
    source: 'Crypto stock: `last_price`, `open`, `close`',
    chosen: 'present',
    why: 'Open, high, low and close belong to one day.',
    answers: { present: 'The last price.', previous: 'The last price of the day before.' },
  },
  'stock-quote-day': {
    question: 'Do quotes have `open_today`, `start_ts` and `end_ts`?',
    source: 'Crypto stock: "responses may also carry"',
    chosen: 'absent',
    why: 'A client must work without optional fields.',
    answers: { absent: 'No.', present: 'Yes.' },
  },
  'stock-change-rate': {
    question: 'Is `change_rate` in percent?',
    source: 'Crypto stock: `change_rate` number',
    chosen: 'percent',
    why: 'All changes in examples of the contract are in percent.',
    answers: { percent: '1.5 is 1.5 %.', fraction: '0.015 is 1.5 %.' },
  },
  'stock-no-market': {
    question: 'Which stocks are ranked if no market is requested?',
    source: 'Crypto stock: both default to false',
    chosen: 'all',
    why: 'Otherwise a call without parameters would always be empty.',
    answers: { all: 'Those of both markets.', none: 'None.' },
  },
  'stock-unknown': {
    question: 'What is the answer to an unknown company?',
    source: 'Crypto stock: not specified; clients saw HTTP 500',
    chosen: 'refuse',
    why: 'Unknown pairs are refused in the same way.',
    answers: {
      refuse: 'HTTP 400 with "Unsupported symbol".',
      '500': 'HTTP 500.',
      null: 'Success with `data` null.',
    },
  },
})
