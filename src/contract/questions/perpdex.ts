/** Open questions: the perpetual DEX. */
import { declareQuestions } from './question.ts'

export const PERPDEX_QUESTIONS = declareQuestions({
  // Fills.
  'fill-form': {
    question: 'Which form do fills by address and by order have?',
    source: 'Perpetual-DEX records, Fill; the live service was seen to answer the native form',
    chosen: 'simple',
    why: 'The documents show the simple form.',
    answers: { simple: 'The simple form.', native: 'The native form, without `address`.' },
  },
  'twap-fill-form': {
    question: 'Which form do the fills of a TWAP have?',
    source: 'Fill has two forms; public documentation shows a third, short one',
    chosen: 'slice',
    why: 'It is the documented form of this endpoint.',
    answers: {
      slice: '`coin`, `side` B or A, `px`, `sz`, `time`, `twapId`.',
      native: 'The native form, as observed at other endpoints of fills.',
      simple: 'The simple form.',
    },
  },
  'builder-fill-ids': {
    question: "Do a builder's fills have `tid` and `twapId`?",
    source: 'Fill: "Builder fill adds builderFee" to the native form; a public sample has neither',
    chosen: 'present',
    why: 'The contract takes precedence.',
    answers: { present: 'Yes.', absent: 'No.' },
  },
  // Liquidations.
  'liquidation-window': {
    question: 'Which time window do the sums of liquidations have without `interval`?',
    source: 'Perpetual-DEX REST: `interval` is optional; the service was seen to answer zeros',
    chosen: '1h',
    why: 'A short window was observed, but not its exact length.',
    answers: { '1m': 'A minute.', '1h': 'An hour.', '1d': 'A day.' },
  },
  'top-positions-interval': {
    question: 'What does the list of the largest liquidated positions return without `interval`?',
    source: 'Action map only; public documentation requires it, and public clients leave it out',
    chosen: '1d',
    why: 'A client without `interval` expects an answer; the liquidation map also covers a day.',
    answers: { '1d': 'A day.', refuse: 'HTTP 400: it is missing.' },
  },
  'estimated-heatmap-interval': {
    question: 'Which positions does the map of estimated liquidations show without `interval`?',
    source: 'Action map: only the path is known',
    chosen: 'all',
    why: 'Every open position can be liquidated, whatever its age.',
    answers: {
      all: 'All open positions.',
      day: 'Positions opened in the last day.',
    },
  },
  // The market.
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
  // Orders.
  'order-form': {
    question: 'Which form do orders by address and by id have?',
    source: 'Perpetual-DEX records, Order (simple form); the live service was seen to nest them',
    chosen: 'flat',
    why: 'The contract says so.',
    answers: {
      flat: 'Flat, with `oid` as text.',
      nested: '`{order, status, statusTimestamp}`, as at the venue.',
    },
  },
  'order-status-spelling': {
    question: 'How is the status of a cancelled order spelled?',
    source:
      'States: "`filled` and `cancelled`"; the venue writes `canceled`, and the service ' +
      'passes its forms on',
    chosen: 'by-form',
    why: 'Each spelling was observed in its form: the simple form, and the forms of the venue.',
    answers: {
      'by-form':
        '`cancelled` in the simple form of orders; `canceled` in every form of the venue: ' +
        'nested orders, POST /info, pushes.',
      cancelled: '`cancelled` everywhere.',
      canceled: '`canceled` everywhere.',
    },
  },
  'open-order-triggers': {
    question: 'Do the open orders of the market include orders that wait for a trigger?',
    source: 'Top open order, Active order stats: not specified',
    chosen: 'absent',
    why: 'They are in no book, and the records have no field to recognise them.',
    answers: { absent: 'No, only orders that rest in the book.', present: 'Yes.' },
  },
  'distance-sign': {
    question: 'Is `distPct` of a large open order negative below the last price?',
    source: 'Top open order: "percent distance from last trade price"',
    chosen: 'signed',
    why: 'The sign adds information; the absolute value gives the other answer.',
    answers: { signed: 'Yes.', absolute: 'No, it is never negative.' },
  },
  // Positions.
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
  // Statistics of accounts.
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
  // Whales.
  'whale-funding-sign': {
    question: 'Is `fundingFee` of a whale positive when paid or when received?',
    source: 'Action map only; public documentation names the field',
    chosen: 'paid',
    why: 'It is a fee, and `cumFunding` of the account state is positive when paid.',
    answers: { paid: 'When it was paid.', received: 'When it was received.' },
  },
  'whale-ratio-order': {
    question: 'Is the history of the whale long ratio ordered oldest first or newest first?',
    source: 'Action map only; both were seen, oldest first more lately',
    chosen: 'oldest',
    why: 'It was the most recent observation.',
    answers: { oldest: 'Oldest first.', newest: 'Newest first.' },
  },
  'whale-event-coin': {
    question: 'Do whale events use the `coin` that clients send?',
    source: 'Perpetual-DEX REST names only `limit`; the service was seen to filter loosely',
    chosen: 'filtered',
    why: 'A client that sends it wants the filter.',
    answers: { filtered: 'Yes.', ignored: 'No, all coins are answered.' },
  },
})
