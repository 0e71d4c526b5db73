/** Open questions: markets of the perpetual DEX. */
import { declareQuestions } from '../question.ts'

export const PERPDEX_MARKET_QUESTIONS = declareQuestions({
  'top-coins-window': {
    question: 'What does `interval` of the coins with the most open interest do?',
    source: 'Action map only; public documentation calls it a look-back window',
    chosen: 'traded',
    why: 'Open interest is what stands now, so the coins then add up to the summary.',
    answers: {
      traded: 'Coins that were not traded in it are left out; all positions of the others count.',
      opened: 'Only positions that were opened in it count.',
    },
  },
  'open-interest-step': {
    question: 'How far apart are the points of the open-interest history?',
    source: 'Action map only; about four rows were seen in a window of three days',
    chosen: 'few',
    why: 'What was seen counts.',
    answers: {
      few: 'Three or more steps to a window: a day for three days, 5 minutes for 15.',
      fine: 'Twenty-four or more steps to a window: an hour for three days, a minute for 15.',
    },
  },
  'taker-delta-interval': {
    question: 'What does the accumulated taker delta answer without `interval`?',
    source: 'Action map only; documented as optional, but the service was seen to require it',
    chosen: 'hour',
    why: 'What is documented as optional can be left out.',
    answers: { hour: 'The last hour.', refuse: 'HTTP 400: it is missing.' },
  },
  'book-summary-unit': {
    question: 'In what are the volumes of the order-book summaries?',
    source: 'Action map only; public documentation names no unit',
    chosen: 'coin',
    why: 'Elsewhere a volume is in the coin and an amount in the quote unit.',
    answers: { coin: 'In the coin.', usd: 'Price x size, in the quote unit.' },
  },
  'info-types': {
    question: 'Does POST /info answer types that the service was seen to refuse?',
    source: '"The body shape of POST /info beyond the `type` field: not shown"',
    chosen: 'documented',
    why: 'A client must learn here what it will meet there.',
    answers: {
      documented: 'No: an unknown type is HTTP 200 with code "400".',
      all: 'Yes: every type of the perpetual venue that a raw sandbox has.',
    },
  },
})
