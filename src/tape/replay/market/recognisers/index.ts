/** Recognisers by operation, type of `POST /info` or channel. */

import { UserError } from '../../../../platform/user-error.ts'
import { isWholeNumber, type UnknownRecord } from '../../../recorded-data.ts'
import {
  type MarketFact,
  type NumberReader,
  type Recogniser,
  recordIn,
  recordsIn,
  type TradeFact,
  textIn,
  timeIn,
} from '../market-fact.ts'
import {
  accountState,
  accountStates,
  balances,
  openOrders,
  orderHistory,
  spotStates,
  transfers,
} from './accounts.ts'
import {
  bestPrices,
  books,
  candles,
  contexts,
  fundingPayments,
  fundingRates,
  mids,
  pushedContext,
  spotContexts,
  spotUniverse,
  takerCandles,
  tickers,
  universe,
  webData,
} from './contexts.ts'

/** Public trades, with buyer and seller where the source has them. */
const trades: Recogniser = {
  sources: ['channel/trades', 'info/recentTrades'],
  facts: ({ data, numbers }) =>
    recordsIn(data).map((trade) => {
      const [buyer, seller] = Array.isArray(trade.users) ? trade.users : []
      return { ...printIn(trade, numbers), buyer: addressIn(buyer), seller: addressIn(seller) }
    }),
}

/**
 * Fills of one account. Each is one side of a trade, the taker's where `crossed` is set. Aggregated
 * ones, and those without a trade id, are skipped.
 */
const fills: Recogniser = {
  sources: [
    'info/userFills',
    'info/userFillsByTime',
    'info/userTwapSliceFills',
    'perpdex.fillsOfAddress',
    'perpdex.fillsOfOrder',
    'perpdex.fillsOfTwap',
    'perpdex.fillsOfBuilder',
  ],
  facts: ({ data, requested, numbers }) =>
    requested.aggregateByTime === true
      ? []
      : recordsIn(data).flatMap((row) => {
          const fill = row.fill === undefined ? row : recordIn(row.fill)
          return tradeOf(
            fill,
            addressIn(fill.address ?? requested.user ?? requested.address),
            numbers,
          )
        }),
}

/** The same when pushed. */
const pushedFills: Recogniser = {
  sources: ['channel/userFills', 'channel/addressFills'],
  facts({ data, numbers }) {
    const { fills: list, user, ...rest } = recordIn(data)
    if (list === undefined) return tradeOf(rest, addressIn(rest.address), numbers)
    return recordsIn(list).flatMap((fill) => tradeOf(fill, addressIn(user), numbers))
  },
}

function tradeOf(fill: UnknownRecord, address: string | null, numbers: NumberReader): MarketFact[] {
  if (fill.tid === undefined || typeof fill.crossed !== 'boolean') return []
  const print = printIn(fill, numbers)
  const own = print.side
  const taker = fill.crossed ? own : own === 'B' ? 'A' : 'B'
  const [buyer, seller] = own === 'B' ? [address, null] : [null, address]
  return [{ ...print, side: taker, buyer, seller, liquidation: liquidationIn(fill, numbers) }]
}

function printIn(trade: UnknownRecord, numbers: NumberReader): TradeFact {
  const coin = textIn(trade.coin, 'a coin')
  const { side, tid, hash } = trade
  if (side !== 'A' && side !== 'B') throw new UserError('has a trade without side "A" or "B"')
  if (!isWholeNumber(tid)) throw new UserError('has a trade without its tid')
  return {
    kind: 'trade',
    coin,
    timeMs: timeIn(trade.time),
    side,
    px: numbers.px(coin, trade.px),
    sz: numbers.sz(coin, trade.sz),
    tid,
    hash: typeof hash === 'string' ? hash : null,
    buyer: null,
    seller: null,
    liquidation: null,
  }
}

function liquidationIn({ liquidation }: UnknownRecord, numbers: NumberReader) {
  if (liquidation === undefined || liquidation === null) return null
  const { liquidatedUser, markPx } = recordIn(liquidation)
  const user = addressIn(liquidatedUser)
  return user === null ? null : { user, markPx: numbers.decimal(markPx) }
}

const addressIn = (value: unknown): string | null =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : null

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

/** The recogniser of a source; undefined for none. */
export const recogniserOf = (source: string): Recogniser | undefined => BY_SOURCE.get(source)

const BY_SOURCE = new Map(
  RECOGNISERS.flatMap((one) => one.sources.map((source) => [source, one] as const)),
)

/** Recognised sources without events in a tape: they follow from accounts, orders and trades. */
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
