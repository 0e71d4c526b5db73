/** Why some deviations survive. */

const REASONS: readonly [RegExp, string][] = [
  [
    /^parameter-misread\..*(lan|language|currency|scope|sort|topBy|interval): is .* left out/,
    'the contract does not say what is meant when it is left out',
  ],
  [
    /^parameter-ignored\..* not read as (?!memberIds)/,
    'another spelling, which the contract does not ask for',
  ],
  [
    /^batch\.perpdex\.batch|^batch\.content\.aiCoins\..*most/,
    'the contract does not say how many of them are read',
  ],
  [
    /^limit\.(content|futures|indicator)\..*(by default|most)/,
    'the contract gives it no default or no most',
  ],
  [/^unit\.stock\.topGainer/, 'whether it is in percent is open: stock-change-rate'],
  [/^unit\.signal\.alertConfig\./, 'they are words, and no number stands there'],
  [
    /^unit\.(mix\.(fundcoTrust|stockMarket)|signal\.changes)\./,
    'no other answer says what it was a day before',
  ],
  [/maxDrawdown\.scope: not read|batchMaxDrawdown\.scope: not read/, 'there is one value'],
  [
    /^parameter-ignored\.perpdex\.(completedTradesByTime|whaleEvents)\.coin: not read/,
    'whether it counts is open',
  ],
  [
    /^parameter-ignored\.perpdex\.openInterestTopCoins\.interval: not read/,
    'what it does is open: top-coins-window',
  ],
  [
    /^order\.(perpdex\.(fillsOfAddress|klines|(current|completed)Pos)|signal).*way round/,
    'which way the list goes is open',
  ],
  [/\.currentPosition(Executions|History|Pnl)\.endTime/, 'an open position has no end'],
  [/^parameter-ignored\.signal\.addAlert\.remark/, 'no answer shows it'],
  [
    /^connection\..*(is never closed|closed after|another code|heartbeats do not keep)/,
    'it shows after half a minute or more: without a control plane a patience of 5 s is too short',
  ],
  [
    /^subscription\.(?!l2Book).*(stale is (never|text)|sent again|stale (null|of an|a word))/,
    'books alone are sent again and stale (open of others); only a stopped market is silent',
  ],
]

/** The reason that is known; the first that fits. */
export const reasonFor = (id: string): string =>
  REASONS.find(([of]) => of.test(id))?.[1] ?? 'no case looks at it yet'
