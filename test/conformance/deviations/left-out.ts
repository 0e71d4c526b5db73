/**
 * Generated changes that are no deviations: the contract leaves them open, or they never change a
 * response, which `bun run deviations` verifies.
 */
interface LeftOut {
  /** Matching ids. */
  of: RegExp
  why: string
  /** It is never visible. */
  changesNothing?: true
}

export const LEFT_OUT: readonly LeftOut[] = [
  {
    of: /^(unit|field-null)\.perpdex\.currentPosition\w+\.endTime:/,
    why: 'an open position has no end',
    changesNothing: true,
  },
  {
    of: /^parameter-ignored\.perpdex\.(maxDrawdown|batchMaxDrawdown)\.scope: not read$/,
    why: 'there is one value',
    changesNothing: true,
  },
  {
    of: /^parameter-ignored\.signal\.addAlert\.remark: not read$/,
    why: 'no answer shows it',
    changesNothing: true,
  },
  {
    of: /^parameter-ignored\.perpdex\.info\.spotClearinghouseState\.dex: not read$/,
    why: 'there is one spot account',
    changesNothing: true,
  },
  {
    of: /^unit\.signal\.alertConfig\./,
    why: 'they are words: there is no number to be in another unit',
    changesNothing: true,
  },
  {
    of: /^[\w-]+\.perpdex\.completedPositionHistory\.history\[\]\.(effLeverage|liqPrice):/,
    why: 'snapshots of a closed position have none',
    changesNothing: true,
  },
  {
    of: /^[\w-]+\.perpdex\.currentPositionHistory\.history\[\]\.liqPrice:/,
    why: 'open: position-liquidation-name',
    changesNothing: true,
  },
  {
    of: /^[\w-]+\.stock\.quotes\.\[\]\.(open_today|start_ts|end_ts):/,
    why: 'open: stock-quote-day',
    changesNothing: true,
  },
  {
    of: /^unit\.perpdex\.twapsTopImpact\.\[\]\.impactPct:/,
    why: 'the contract does not show the record',
  },
  {
    of: /^unit\.mix\.(fundcoTrust|stockMarket)\./,
    why: 'the contract does not say in which unit it is, and nothing else answers it',
  },
  {
    of: /^limit\.perpdex\.(filledOrders|orders|twapStates)Latest\.limit: by default one more$/,
    why: 'the default is the most: one more is cut to it',
    changesNothing: true,
  },
  {
    of: /^limit\.futures\.estimatedLiquidationHistory\.limit: by default one more$/,
    why: 'the default is the most: one more is cut to it',
    changesNothing: true,
  },
  {
    of: /^parameter-ignored\..*: not read as (?!memberIds)/,
    why: 'the contract does not ask for another spelling',
  },
  {
    of: /^parameter-misread\.content\.(?!aiCoins)\w+\.language: is \S+ when left out$/,
    why: 'the contract does not say what is meant when it is left out',
  },
  {
    of: /^parameter-misread\..*\.lan: is \S+ when left out$/,
    why: 'the contract does not say what is meant when it is left out',
  },
  {
    of: /^parameter-misread\.(index\.price\.currency|perpdex\.batchPnls\.scope): is \S+ when/,
    why: 'the contract does not say what is meant when it is left out',
  },
  {
    of: /^parameter-misread\.perpdex\.(smartFind\.sort|whalePositions\.topBy): is \S+ when/,
    why: 'the contract does not say what is meant when it is left out',
  },
  {
    of: /^parameter-misread\.perpdex\.whaleLongRatios\.interval: is \S+ when left out$/,
    why: 'the contract does not say what is meant when it is left out',
  },
  {
    of: /^parameter-ignored\.perpdex\.whaleEvents\.coin: not read$/,
    why: 'open: whale-event-coin',
  },
  {
    of: /^parameter-ignored\.perpdex\.completedTradesByTime\.coin: not read$/,
    why: 'open: completed-by-time-coin',
  },
  {
    of: /^parameter-ignored\.perpdex\.openInterestTopCoins\.interval: not read$/,
    why: 'open: top-coins-window',
  },
  {
    of: /^batch\.(perpdex\.batch\w+\.addresses|content\.aiCoins\.coinKeys): (above its|its) most/,
    why: 'the contract does not say how many of them are read',
  },
  {
    of: /^limit\.content\.(rssNews|news)List\.pageSize: by default/,
    why: 'the contract gives it no default',
  },
  {
    of: /^limit\.futures\.(coinMarginInterest|stablecoinInterest)History\.limit: by default/,
    why: 'the contract gives it no default',
  },
  {
    of: /^limit\.futures\.(fundingRate|weightedFundingRate)History\.limit: by default/,
    why: 'the contract gives it no default',
  },
  {
    of: /^limit\.(futures\.interest\.pageSize|indicator\.\w+\.size): by default/,
    why: 'the contract gives it no default',
  },
  {
    of: /^limit\.content\.exchangeListingFlash\.pageSize: (above its|its) most/,
    why: 'the contract gives it no most',
  },
  {
    of: /^limit\.futures\.\w+History\.limit: (above its|its) most/,
    why: 'the contract gives it no most',
  },
  {
    of: /^order\.perpdex\.(fillsOfAddress|klinesWithTakerVol): the other way round$/,
    why: 'which way the list goes is open',
  },
  {
    of: /^order\.perpdex\.\w+Position(Pnl|Executions)\.\w+: the other way round$/,
    why: 'which way the list goes is open',
  },
  {
    of: /^order\.signal\.strategies\.list: the other way round$/,
    why: 'which way the list goes is open',
  },
  {
    of: /^order\.perpdex\.(fillsOfBuilder|topOpenOrders):/,
    why: 'the contract gives the list no order',
  },
  {
    of: /^subscription\.(bbo|candle|clearinghouseState|openOrders): stale is never said$/,
    why: 'open: stale-channels',
  },
  {
    of: /^subscription\.(bbo|candle|clearinghouseState|openOrders): nothing is sent again while/,
    why: 'open: republished-channels',
  },
  {
    of: /^connection\..*: a wrong signature is 200$/,
    why: 'open: refusal-status',
  },
  {
    of: /^subscription\.(userFills: aggregateByTime|l2Book: mantissa) is (kept|left)/,
    why: 'the contract does not say what it does',
  },
  { of: /^unit\.stock\.topGainer\w*\./, why: 'open: stock-change-rate' },
  {
    of: /^envelope\.distributor\.deleteLevel: message is called msg$/,
    why: 'open: level-delete-answer',
  },
]

/** Reason for an excluded id; undefined for a deviation. */
export const leftOut = (id: string): LeftOut | undefined => LEFT_OUT.find(({ of }) => of.test(id))
