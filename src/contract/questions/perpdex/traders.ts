/** Open questions: statistics of accounts. */
import { declareQuestions } from '../question.ts'

export const PERPDEX_TRADER_QUESTIONS = declareQuestions({
  'pnl-point-names': {
    question: 'What are the names of the two fields of a point of a PnL curve?',
    source: 'Statistics: `pnlList`, a curve; the points were documented and seen differently',
    chosen: 'documented',
    why: 'Each endpoint follows its documentation.',
    answers: {
      documented: '`time` and `pnl` in the PnL endpoints, `ts` and `v` in `pnlList`.',
      short: '`ts` and `v` everywhere, as observed.',
      long: '`time` and `pnl` everywhere.',
    },
  },
  'dex-unknown': {
    question: 'What is the answer to an unknown `dex`?',
    source: 'Perpetual-DEX REST, `dex`; WebSocket, connection query parameter `dex`: not specified',
    chosen: 'refuse',
    why: 'An empty account would hide a misspelling.',
    answers: {
      refuse:
        'HTTP 400 with the known names; a subscription is refused, and a socket is ' +
        'not opened. The universe of an unknown dex is null with both answers.',
      empty: 'The data of an empty account: zeros and empty lists.',
    },
  },
  'portfolio-builder-dexes': {
    question: 'Does the account value of the portfolio include equity on builder dexes?',
    source: 'Account: `totalValue` does not; Portfolio curve: not specified',
    chosen: 'left-out',
    why: 'Then the last point is `totalValue` of the account.',
    answers: {
      'left-out': 'No: the last point is `totalValue`.',
      counted: 'Yes: the last point is `totalValue` plus `builderPerpValue`.',
    },
  },
  'window-days': {
    question: 'What do drawdown and net flow return without `days`?',
    source: 'Action map only; documented as optional, but the service was seen to require it',
    chosen: '7',
    why: 'The parameter is documented as optional; other periods are 7 days by default.',
    answers: { '7': 'A week.', '30': 'A month.', refuse: 'HTTP 400: it is missing.' },
  },
  'drawdown-net-in': {
    question: 'Which time span does `netIn` of a drawdown cover?',
    source: 'Action map only; public documentation names the field',
    chosen: 'between',
    why: 'With this span, the drawdown can be calculated from `high` and `low`.',
    answers: {
      between: 'From the high to the low.',
      window: 'All requested days: `netPerpIn` of the net flow.',
    },
  },
  'batch-drawdown-keys': {
    question: 'How are the fields of a batch of drawdowns spelled?',
    source: 'Action map only; documented with capitals, seen with both',
    chosen: 'capitals',
    why: 'It is the documented spelling.',
    answers: {
      capitals: '`Address`, `High`, `Low`, `MaxDrawdown`, `NetIn`.',
      both: 'These and `address`, `high`, `low`, `maxDrawdown`, `netIn`.',
    },
  },
  'batch-most': {
    question: 'How many addresses does a batch of accounts or account states return?',
    source: 'Limits: 2000; older public documentation: 50',
    chosen: '2000',
    why: 'The contract takes precedence.',
    answers: { '2000': 'The first 2000.', '50': 'The first 50.' },
  },
  'account-mode': {
    question: 'Do spot and perpetuals of an account share their margin?',
    source: 'Account: net-value semantics by account mode',
    chosen: 'by-account',
    why: 'The semantics name both modes side by side.',
    answers: {
      'by-account': 'It depends on the account: about a quarter of them are unified.',
      separated: 'No, of no account: `totalValue` is that of spot, perpetuals, staking and vault.',
      unified:
        'Yes, of all accounts: `spotValue` and the dollars of the spot state include the equity ' +
        'of the main dex, which is not added again.',
    },
  },
  'page-beyond-last': {
    question: 'What does a search or a list with numbered pages answer for a page beyond its last?',
    source: 'Action map only; public documentation gives 20 pages of a search, 50 of trades',
    chosen: 'last',
    why: 'Other numbers that are too large are silently cut.',
    answers: {
      last: 'The last allowed page again: reading until a page is empty never ends.',
      refuse: 'HTTP 400: the page is invalid.',
    },
  },
  'smart-find-form': {
    question: 'Does a search for smart money return a list or a page?',
    source: 'Action map only; public documentation describes one and shows the other',
    chosen: 'list',
    why: 'The documented sample takes precedence.',
    answers: { list: 'A bare list.', page: '`list`, `total`, `pageNum`, `pageSize`.' },
  },
})
