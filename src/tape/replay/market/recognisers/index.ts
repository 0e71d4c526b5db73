/** What is recognised, by operation, type of `POST /info` or channel. */
import type { Recogniser } from '../market-fact.ts'
import {
  accountState,
  accountStates,
  balances,
  openOrders,
  orderHistory,
  spotStates,
  transfers,
} from './accounts.ts'
import { bestPrices, books } from './books.ts'
import { candles, takerCandles } from './candles.ts'
import {
  contexts,
  fundingPayments,
  fundingRates,
  pushedContext,
  spotContexts,
  spotUniverse,
  universe,
  webData,
} from './contexts.ts'
import { mids, tickers } from './prices.ts'
import { fills, pushedFills, trades } from './trades.ts'

const RECOGNISERS: readonly Recogniser[] = [
  books,
  bestPrices,
  trades,
  fills,
  pushedFills,
  candles,
  takerCandles,
  pushedContext,
  contexts,
  spotContexts,
  spotUniverse,
  webData,
  universe,
  fundingRates,
  fundingPayments,
  tickers,
  mids,
  accountState,
  accountStates,
  openOrders,
  orderHistory,
  balances,
  spotStates,
  transfers,
]

/** Whoever understands the data of a source; undefined for nobody. */
export const recogniserOf = (source: string): Recogniser | undefined => BY_SOURCE.get(source)

const BY_SOURCE = new Map(
  RECOGNISERS.flatMap((one) => one.sources.map((source) => [source, one] as const)),
)

/**
 * What is understood and is in no tape: it follows from accounts, orders and trades.
 */
export const OF_ACCOUNTS: ReadonlySet<string> = new Set([
  'channel/orderUpdates',
  'channel/addressFilledOrders',
  'channel/userNonFundingLedgerUpdates',
  'info/orderStatus',
  'info/portfolio',
  'perpdex.tradersAccounts',
  'perpdex.tradersStatistics',
  'perpdex.ordersLatest',
  'perpdex.filledOrdersLatest',
])
