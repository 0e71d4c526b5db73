/** Open questions: positions and completed trades of accounts. */
import { declareQuestions } from '../question.ts'

export const PERPDEX_POSITION_QUESTIONS = declareQuestions({
  'completed-by-time-form': {
    question: 'Which form do completed trades by time have?',
    source: 'Action map only; documented as a page, seen as a bare list with other names',
    chosen: 'paged',
    why: 'It is the documented form.',
    answers: {
      paged: '`{list, total, pageNum, pageSize}` of completed trades.',
      seen: 'A bare list with `direction`, `closePrice`, `totalFee`, `marginMode`, text for times.',
    },
  },
  'completed-by-time-coin': {
    question: 'Does `coin` in lower case filter completed trades by time?',
    source: 'Action map only; documented as `Coin`, and `coin` was seen to be ignored',
    chosen: 'ignored',
    why: 'A client must see here what the service does.',
    answers: { ignored: 'No: only `Coin` does.', counts: 'Yes, as `Coin` does.' },
  },
  'trader-period': {
    question: 'What do best trades and account figures return without `period`?',
    source: 'Action map only; documented as optional, but the service was seen to require it',
    chosen: '7',
    why: 'The parameter is documented as optional; the documented default is 7 days.',
    answers: { '7': 'Seven days.', '0': 'All time.', refuse: 'HTTP 400: it is missing.' },
  },
  'position-interval': {
    question: 'What do PnL and executions of a position return without `interval`?',
    source: 'Perpetual-DEX REST: optional; the service was seen to require it',
    chosen: '1h',
    why: 'The contract says that it is optional.',
    answers: { '1h': 'By hours.', refuse: 'HTTP 400: it is missing.' },
  },
  'position-absent': {
    question: 'Which HTTP status does an unknown completed position have?',
    source: 'Errors: HTTP 400; the service was also seen to answer 200 with code "400"',
    chosen: '400',
    why: 'The contract says so.',
    answers: { '400': 'HTTP 400.', '200': 'HTTP 200 with code "400".' },
  },
  'position-liquidation-name': {
    question: 'What is the name of the liquidation price in a position history?',
    source: 'Position history record: `liquidationPx`; public documents show `liqPrice`',
    chosen: 'liquidationPx',
    why: 'The contract says so.',
    answers: {
      liquidationPx: '`liquidationPx`.',
      liqPrice: '`liqPrice`, and only while the position is open.',
    },
  },
})
