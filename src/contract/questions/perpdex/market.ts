/** Open questions: markets of the perpetual DEX. */
import { declareQuestions } from '../question.ts'

export const PERPDEX_MARKET_QUESTIONS = declareQuestions({
  'top-coins-window': {
    question: 'What is the effect of `interval` for the coins with the most open interest?',
    source: 'Action map only; public documentation calls it a look-back window',
    chosen: 'traded',
    why: 'Open interest is a present state, so with this answer the coins add up to the summary.',
    answers: {
      traded:
        'Coins without trades in the interval are omitted; all positions of the others count.',
      opened: 'Only positions opened in the interval count.',
    },
  },
  'open-interest-step': {
    question: 'What is the distance between the points of the open-interest history?',
    source: 'Action map only; about four rows were seen in a window of three days',
    chosen: 'few',
    why: 'It was observed at the service.',
    answers: {
      few: 'Three or more steps per window: a day for three days, 5 minutes for 15.',
      fine: 'Twenty-four or more steps per window: an hour for three days, a minute for 15.',
    },
  },
  'taker-delta-interval': {
    question: 'What does the accumulated taker delta return without `interval`?',
    source: 'Action map only; documented as optional, but the service was seen to require it',
    chosen: 'hour',
    why: 'The parameter is documented as optional.',
    answers: { hour: 'The last hour.', refuse: 'HTTP 400: it is missing.' },
  },
  'book-summary-unit': {
    question: 'What is the unit of the volumes in the order-book summaries?',
    source: 'Action map only; public documentation names no unit',
    chosen: 'coin',
    why: 'Elsewhere, a volume is in the coin and an amount in the quote unit.',
    answers: { coin: 'In the coin.', usd: 'Price x size, in the quote unit.' },
  },
  'info-types': {
    question: 'Does POST /info answer types that the service has been observed to refuse?',
    source: '"The body shape of POST /info beyond the `type` field: not shown"',
    chosen: 'documented',
    why: 'A client must see here what the service does.',
    answers: {
      documented: 'No: an unknown type gets HTTP 200 with code "400".',
      all: 'Yes: every type of the perpetual venue that a raw sandbox has.',
    },
  },
})
