/** Open questions: market-wide data of the perpetual venue, and whales. */
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
  'open-order-triggers': {
    question: 'Do orders that wait for a trigger count among the open orders of the market?',
    source: 'Top open order, Active order stats: not said',
    chosen: 'absent',
    why: 'They are in no book, and the records have no field that would tell them apart.',
    answers: { absent: 'No, only orders that rest in the book.', present: 'Yes.' },
  },
  'distance-sign': {
    question: 'Is `distPct` of a large open order negative below the last price?',
    source: 'Top open order: "percent distance from last trade price"',
    chosen: 'signed',
    why: 'It tells more, and its absolute value is the other answer.',
    answers: { signed: 'Yes.', absolute: 'No, it is never negative.' },
  },
  'twap-fill-form': {
    question: 'In which form are the fills of a TWAP?',
    source: 'Fill has two forms; public documentation shows a third, short one',
    chosen: 'slice',
    why: 'It is the one that is documented for this endpoint.',
    answers: {
      slice: '`coin`, `side` B or A, `px`, `sz`, `time`, `twapId`.',
      native: 'The native form, as it was seen on other endpoints of fills.',
      simple: 'The simple form.',
    },
  },
  'builder-fill-ids': {
    question: "Do a builder's fills carry `tid` and `twapId`?",
    source: 'Fill: "Builder fill adds builderFee" to the native form; a public sample has neither',
    chosen: 'present',
    why: 'The contract counts.',
    answers: { present: 'Yes.', absent: 'No.' },
  },
  'whale-funding-sign': {
    question: 'Is `fundingFee` of a whale positive when it was paid or when it was received?',
    source: 'Action map only; public documentation names the field',
    chosen: 'paid',
    why: 'It is a fee, and `cumFunding` of the account state is positive when paid.',
    answers: { paid: 'When it was paid.', received: 'When it was received.' },
  },
  'whale-ratio-order': {
    question: 'Is the history of the whale long ratio oldest or newest first?',
    source: 'Action map only; both were seen, oldest first more lately',
    chosen: 'oldest',
    why: 'What was seen last counts.',
    answers: { oldest: 'Oldest first.', newest: 'Newest first.' },
  },
  'whale-event-coin': {
    question: 'Do whale events heed the `coin` that clients send?',
    source: 'Perpetual-DEX REST names only `limit`; the service was seen to filter loosely',
    chosen: 'filtered',
    why: 'Whoever sends it wants it.',
    answers: { filtered: 'Yes.', ignored: 'No, all coins are answered.' },
  },
})
