/** Result of a run, as a value: results, counts, and checked requirements. */

import type { Breadth } from './ledger/breadth.ts'
import { REQUIREMENTS } from './requirements.ts'
import type { Result, Verdict } from './runner.ts'
import { SchemaCoverage } from './schema-coverage.ts'

export interface Report {
  target: string
  /** Why the run ended early; null when it did not. */
  ended: string | null
  /** Command that repeats the run, for a shell with the keys in variables. */
  command: string
  /** Notes on known failures: passed or expired ones. */
  notes: readonly string[]
  counts: Record<Verdict, number>
  /** Result of each requirement's cases. */
  requirements: RequirementResult[]
  results: readonly Result[]
  /** Sorts of answers by operation; null where nothing was kept. */
  breadth: Breadth | null
  /** Parts of the declared schemas seen in responses. */
  schemas: {
    seen: number
    total: number
    unseen: string[]
    /** Reasons for parts that our own default market does not show either. */
    reasons: Record<string, string>
  }
}

export interface RequirementResult {
  id: string
  section: string
  text: string
  verdict: Verdict | 'unchecked'
  /** Whether one of its cases had evidence that could have revealed a deviation. */
  looked: boolean
  cases: number
}

export function reportOf(
  target: string,
  results: readonly Result[],
  { seen, total, unseen }: Pick<SchemaCoverage, 'seen' | 'total' | 'unseen'> = new SchemaCoverage(),
  { ended = null, command = commandFor(target), notes = [], breadth = null }: Partial<Run> = {},
): Report {
  const count = (verdict: Verdict) => results.filter((one) => one.verdict === verdict).length
  return {
    target,
    ended,
    command,
    notes,
    counts: { passed: count('passed'), failed: count('failed'), skipped: count('skipped') },
    requirements: REQUIREMENTS.map(({ id, section, text }) => {
      const own = results.filter(({ checks }) => checks.includes(id))
      const looked = own.some((result) => result.looked)
      return { id, section, text, verdict: verdictOf(own), looked, cases: own.length }
    }),
    results,
    breadth,
    schemas: { seen, total, unseen, reasons: reasonsFor(unseen) },
  }
}

/** Facts about a run besides its results. */
type Run = Pick<Report, 'ended' | 'command' | 'notes' | 'breadth'>

const commandFor = (target: string): string =>
  `tapewright conform --target ${target} --key "$ACCESS_KEY" --secret "$SECRET_KEY"`

function reasonsFor(unseen: readonly string[]): Record<string, string> {
  const known: Record<string, string> = { ...NEVER_SHOWN, ...RARELY_SHOWN }
  return Object.fromEntries(
    unseen.flatMap((part) => (known[part] === undefined ? [] : [[part, known[part]]])),
  )
}

/** One failure fails it; it passes when something passed, and is skipped when all was. */
function verdictOf(results: readonly Result[]): RequirementResult['verdict'] {
  for (const verdict of ['failed', 'passed', 'skipped'] as const)
    if (results.some((one) => one.verdict === verdict)) return verdict
  return 'unchecked'
}

/** Number of known failures, which do not fail the run. */
export const knownFailuresIn = ({ results }: Pick<Report, 'results'>): number =>
  results.filter(({ known }) => known !== undefined).length

/** `7 passed, 2 failed (1 known), 3 skipped`. */
export function countsText(report: Report): string {
  const { passed, failed, skipped } = report.counts
  const known = knownFailuresIn(report)
  const ofThem = known > 0 ? ` (${known} known)` : ''
  return `${passed} passed, ${failed} failed${ofThem}, ${skipped} skipped`
}

/** The sections of the contract that have requirements. */
export const sectionsOf = ({ requirements }: Report): string[] => [
  ...new Set(requirements.map(({ section }) => section)),
]

// Parts of declared schemas that our own default market does not show, with reasons.

type Reasons = Readonly<Record<string, string>>

const named = (reason: string, ...parts: string[]): Reasons =>
  Object.fromEntries(parts.map((part) => [part, reason]))

/** Never in a response of ours, whatever the request. */
export const NEVER_SHOWN: Reasons = {
  ...named(
    'one record for open and for closed positions: an open one has no end, a closed one always',
    ...['Pnl', 'Executions', 'History'].flatMap((of) => [
      `perpdex.currentPosition${of}.endTime there`,
      `perpdex.completedPosition${of}.endTime left out`,
    ]),
  ),
  ...named(
    'snapshots of a closed position have no effective leverage, those of an open one always',
    'perpdex.completedPositionHistory.history[].effLeverage there',
    'perpdex.completedPositionHistory.history[].effLeverage | string',
    'perpdex.completedPositionHistory.history[].effLeverage | null',
    'perpdex.currentPositionHistory.history[].effLeverage left out',
  ),
  ...named(
    'snapshots of a closed position never call the liquidation price so',
    'perpdex.completedPositionHistory.history[].liqPrice there',
    'perpdex.completedPositionHistory.history[].liqPrice | string',
    'perpdex.completedPositionHistory.history[].liqPrice | null',
  ),
  ...named(
    'leverage of an account is always null, as it was seen',
    'perpdex.tradersAccounts[].leverage | string',
    'perpdex.tradersStatistics[].leverage | string',
    'perpdex.smartFind[].leverage | string',
    'perpdex.smartFind.list[].leverage | string',
  ),
  ...named(
    'a market has prices from its first instant on',
    'mix.lsRatio.detail | null',
    'mix.fundcoTrust.detail | null',
    'mix.stockMarket.detail | null',
  ),
  'futures.latestDepth.result | error': 'an unreadable book is left to scenarios',
  'perpdex.twapStatesLatest[].status = error': 'no TWAP of ours ends by an error',
}

/** Shown by some markets for a while, depending on events. */
export const RARELY_SHOWN: Reasons = {
  'content.aiCoins.list[].trend | rise': 'no coin rises in a day that all fall',
  ...named(
    'few flashes are of this kind: they come by the week or with a new high of the index',
    ...[1, 3, 5, 6, 10, 14, 15, 16, 19, 20, 21, 23, 24, 26, 27, 28].map(
      (type) => `content.flashList[].flashType | ${type}`,
    ),
  ),
  ...named(
    'only orders on a trigger have no time in force, and few traders place them',
    ...['orderById', 'filledOrderById', 'filledOrdersLatest[]', 'ordersLatest[]'].map(
      (of) => `perpdex.${of}.order.tif | null`,
    ),
    'openOrders.orders[].tif | null',
    'addressFilledOrders.tif | null',
    'perpdex.topOpenOrders[].tif | null',
  ),
  ...named(
    'cancelled orders, requested for accounts that cancelled some in this span',
    ...['orderById', 'filledOrderById', 'filledOrdersLatest[]', 'ordersLatest[]'].map(
      (of) => `perpdex.${of}.status = canceled`,
    ),
    'addressFilledOrders.status = cancelled',
    'addressFilledOrders.status = canceled',
  ),
  ...named(
    'the order whose fills are requested is one of many, and few are of a TWAP',
    'perpdex.fillsOfOrder[].twapId | integer',
  ),
  ...named(
    'only a liquidation that the book could not take is taken over',
    'perpdex.fillsOfAddress[].liquidation.method | backstop',
    'perpdex.fillsOfOrder[].liquidation.method | backstop',
    'userFills.fills[].liquidation.method | backstop',
  ),
  ...named(
    'a position that cannot be liquidated is small against its account',
    'clearinghouseState.clearinghouseState.assetPositions[].position.liquidationPx | null',
    'perpdex.currentPositionHistory.history[].liquidationPx | null',
    'perpdex.completedPositionHistory.history[].liquidationPx | null',
    'perpdex.currentPositionHistory.history[].liqPrice | null',
    'perpdex.whaleEvents[].liqPrice | null',
  ),
  ...named(
    'an account without equity and with a position is soon liquidated',
    'perpdex.currentPositionHistory.history[].effLeverage | null',
  ),
  ...named(
    'an account that has never placed an order is found by few searches',
    'perpdex.tradersDiscover.list[].oaLastOrderAt | null',
    'perpdex.tradersDiscoverHistory.list[].oaLastOrderAt | null',
  ),
  ...named(
    'slices of a TWAP through a builder are rare, and its native fills name the TWAP',
    'perpdex.fillsOfBuilder[].twapId | integer',
    'perpdex.fillsOfTwap[].twapId | null',
    'perpdex.fillsOfTwap[].builderFee there',
  ),
  ...named(
    'few orders carry an id of their client, and few end by a liquidation',
    'perpdex.filledOrderById.order.cloid | string',
    'perpdex.fillsOfOrder[].cloid there',
    'perpdex.fillsOfOrder[].builderFee there',
    'perpdex.fillsOfOrder[].liquidation there',
    'perpdex.fillsOfOrder[].liquidation.method | market',
    'userFills.fills[].builderFee there',
  ),
  ...named(
    'few orders are read between their first fill and their last',
    'perpdex.filledOrderById.status = open',
    'addressFilledOrders.status = open',
  ),
  ...named(
    'activity of the requested accounts so far',
    'perpdex.filledOrdersLatest[].status = open',
    'clearinghouseState.clearinghouseState.assetPositions[].position.leverage.type | cross',
    'clearinghouseState.clearinghouseState.assetPositions[].position.leverage.rawUsd left out',
  ),
  ...named(
    'prices that have moved in one direction only',
    'content.aiCoins.list[].trend | fall',
    'signal.alerts.list[].side | buy',
    'signal.alerts.list[].side | sell',
  ),
  'perpdex.topTrades[].endPosition | null': 'a large trade of the crowd, which has no positions',
  'perpdex.topOpenOrders[].distPct | null': 'a coin with open orders has been traded',
  'userNonFundingLedgerUpdates.isSnapshot left out':
    'deposits and withdrawals are too rare to wait for',
  'addressFills.builderFee there': 'a fill through a builder in the seconds of the wait',
}
