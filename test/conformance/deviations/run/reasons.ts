/** Reasons for some survivors. */

const REASONS: readonly [RegExp, string][] = [
  [
    /^limit\.perpdex\.(currentPositionExecutions|twapStatesLatest)\.limit: its most is one row/,
    'one position, or account, of the default world alone has so many rows',
  ],
  [/^value-misread\.perpdex\.portfolio\.window: month/, 'no account is much older than a month'],
  [
    /^[\w-]+\.perpdex\.(fillsOfBuilder\.|trades\.builder)/,
    'no answer names a builder: without a control plane --cast does',
  ],
  [
    /^rule\.distributor\.quota\.level/,
    'a key with a quota is made by a control plane, which moves the time as well',
  ],
  [
    /^connection\..*(is never closed|closed after|another code|heartbeats do not keep)/,
    'it shows after half a minute or more: without a control plane a patience of 5 s is too short',
  ],
  [
    /^rule\.sockets\.timing\.(idle|protocol-pings)/,
    'it shows after half a minute or more: without a control plane a patience of 5 s is too short',
  ],
  [
    /^(push|snapshot|subscription)\.\w+: stale |timing\.stale:|sent again while nothing happens/,
    'without a control plane nothing stands still for so long that it expires',
  ],
  [
    /^subscription\.\w+: nothing is pushed at once/,
    'without a control plane a first push cannot be distinguished from a live one',
  ],
  [
    /^rule\.sockets\.timing\.candle-gap/,
    'without a control plane the way blurs how fast pushes follow one another',
  ],
  [
    /^(push|subscription)\.userNonFundingLedgerUpdates:/,
    'deposits and withdrawals are too rare to be waited for with a patience of 5 s',
  ],
  [/twapId|builderFee|\.liquidation/, 'nothing in the default world has it'],
]

/** Known reason; the first match. */
export const reasonFor = (id: string): string =>
  REASONS.find(([of]) => of.test(id))?.[1] ?? 'no case looks at it yet'
