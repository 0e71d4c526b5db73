/** Open questions: statistics of accounts. */
import { declareQuestions } from '../question.ts'

export const PERPDEX_TRADER_QUESTIONS = declareQuestions({
  'pnl-point-names': {
    question: 'What are the two fields of a point of a PnL curve called?',
    source: 'Statistics: `pnlList`, a curve; the points were documented and seen differently',
    chosen: 'documented',
    why: 'Each endpoint as it is documented.',
    answers: {
      documented: '`time` and `pnl` in the PnL endpoints, `ts` and `v` in `pnlList`.',
      short: '`ts` and `v` everywhere, as it was seen.',
      long: '`time` and `pnl` everywhere.',
    },
  },
  'dex-unknown': {
    question: 'What is answered for a `dex` that does not exist?',
    source: 'Perpetual-DEX REST, `dex`; WebSocket, connection query parameter `dex`: not said',
    chosen: 'refuse',
    why: 'An account with nothing would hide the misspelling.',
    answers: {
      refuse:
        'HTTP 400 with the names that there are; a subscription is refused, and a socket is ' +
        'not opened. The universe of a dex is null under both answers.',
      empty: 'What an account has that holds nothing: zeros and empty lists.',
    },
  },
  'portfolio-builder-dexes': {
    question: 'Does the account value of the portfolio count equity on builder dexes?',
    source: 'Account: `totalValue` does not; Portfolio curve: not said',
    chosen: 'left-out',
    why: 'The last point is then `totalValue` of the account.',
    answers: {
      'left-out': 'No: the last point is `totalValue`.',
      counted: 'Yes: the last point is `totalValue` plus `builderPerpValue`.',
    },
  },
  'window-days': {
    question: 'What do drawdown and net flow answer without `days`?',
    source: 'Action map only; documented as optional, but the service was seen to require it',
    chosen: '7',
    why: 'What is documented as optional can be left out; other periods are 7 days by default.',
    answers: { '7': 'A week.', '30': 'A month.', refuse: 'HTTP 400: it is missing.' },
  },
  'drawdown-net-in': {
    question: 'What span does `netIn` of a drawdown cover?',
    source: 'Action map only; public documentation names the field',
    chosen: 'between',
    why: 'With it the drawdown can be reckoned anew from `high` and `low`.',
    answers: {
      between: 'From the high to the low.',
      window: 'All of the days asked for: `netPerpIn` of the net flow.',
    },
  },
  'batch-drawdown-keys': {
    question: 'How are the fields of a batch of drawdowns written?',
    source: 'Action map only; documented with capitals, seen with both',
    chosen: 'capitals',
    why: 'It is documented so.',
    answers: {
      capitals: '`Address`, `High`, `Low`, `MaxDrawdown`, `NetIn`.',
      both: 'These and `address`, `high`, `low`, `maxDrawdown`, `netIn`.',
    },
  },
  'batch-most': {
    question: 'How many addresses are answered in a batch of accounts or of account states?',
    source: 'Limits: 2000; older public documentation: 50',
    chosen: '2000',
    why: 'The contract counts.',
    answers: { '2000': 'The first 2000.', '50': 'The first 50.' },
  },
  'account-mode': {
    question: 'Do spot and perpetuals of an account share their margin?',
    source: 'Account: net-value semantics by account mode',
    chosen: 'separated',
    why: 'The account states show separate sub-accounts.',
    answers: {
      separated: 'No: `totalValue` is `spotValue` plus `perpValue`.',
      unified: 'Yes: `spotValue` holds the equity of the main dex, and so is `totalValue` alone.',
    },
  },
  'smart-find-form': {
    question: 'Is the answer of a search for smart money a list or a page?',
    source: 'Action map only; public documentation describes one and shows the other',
    chosen: 'list',
    why: 'The sample counts.',
    answers: { list: 'A bare list.', page: '`list`, `total`, `pageNum`, `pageSize`.' },
  },
})
