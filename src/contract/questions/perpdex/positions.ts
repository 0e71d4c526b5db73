/** Open questions: positions and completed trades of accounts. */
import { declareQuestions } from '../question.ts'

export const PERPDEX_POSITION_QUESTIONS = declareQuestions({
  'completed-by-time-form': {
    question: 'Which form have completed trades by time?',
    source: 'Action map only; documented as a page, seen as a bare list with other names',
    chosen: 'paged',
    why: 'It is what is documented.',
    answers: {
      paged: '`{list, total, pageNum, pageSize}` of completed trades.',
      seen: 'A bare list with `direction`, `closePrice`, `totalFee`, `marginMode`, text for times.',
    },
  },
  'completed-by-time-coin': {
    question: 'Does `coin` in lower case narrow completed trades by time?',
    source: 'Action map only; documented as `Coin`, and `coin` was seen to be ignored',
    chosen: 'ignored',
    why: 'A client must learn here what it will meet there.',
    answers: { ignored: 'No: only `Coin` does.', counts: 'Yes, as `Coin` does.' },
  },
  'trader-period': {
    question: 'What do best trades and account figures answer without `period`?',
    source: 'Action map only; documented as optional, but the service was seen to require it',
    chosen: '7',
    why: 'What is documented as optional can be left out; the documented default is 7 days.',
    answers: { '7': 'Seven days.', '0': 'All time.', refuse: 'HTTP 400: it is missing.' },
  },
  'position-interval': {
    question: 'What do PnL and executions of a position answer without `interval`?',
    source: 'Perpetual-DEX REST: optional; the service was seen to require it',
    chosen: '1h',
    why: 'The contract says optional.',
    answers: { '1h': 'By hours.', refuse: 'HTTP 400: it is missing.' },
  },
  'position-absent': {
    question: 'Which HTTP status has a completed position that cannot be found?',
    source: 'Errors: HTTP 400; the service was also seen to answer 200 with code "400"',
    chosen: '400',
    why: 'The contract says so.',
    answers: { '400': 'HTTP 400.', '200': 'HTTP 200 with code "400".' },
  },
  'position-liquidation-name': {
    question: 'What is the liquidation price of a position history called?',
    source: 'Position history record: `liquidationPx`; public documents show `liqPrice`',
    chosen: 'liquidationPx',
    why: 'The contract says so.',
    answers: {
      liquidationPx: '`liquidationPx`.',
      liqPrice: '`liqPrice`, and only while the position is open.',
    },
  },
})
