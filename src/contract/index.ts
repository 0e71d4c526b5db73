/**
 * The contract: every operation and every channel. A test compares the two lists with the folders.
 */
import type { Channel } from './channel.ts'
import { addressClearinghouseState } from './channels/address-clearinghouse-state.ts'
import { addressFilledOrders } from './channels/address-filled-orders.ts'
import { addressFills } from './channels/address-fills.ts'
import { bbo } from './channels/bbo.ts'
import { candle } from './channels/candle.ts'
import { clearinghouseState } from './channels/clearinghouse-state.ts'
import { l2Book } from './channels/l2-book.ts'
import { openOrders } from './channels/open-orders.ts'
import { trades } from './channels/trades.ts'
import { userFills } from './channels/user-fills.ts'
import { userNonFundingLedgerUpdates } from './channels/user-non-funding-ledger-updates.ts'
import type { Operation } from './operation.ts'
import { coinList } from './operations/coin/list.ts'
import { coinTicker } from './operations/coin/ticker.ts'
import { fullDepth } from './operations/futures/full-depth.ts'
import { groupedDepth } from './operations/futures/grouped-depth.ts'
import { latestDepth } from './operations/futures/latest-depth.ts'
import { filledOrderById } from './operations/perpdex/filled-order-by-id.ts'
import { filledOrdersLatest } from './operations/perpdex/filled-orders-latest.ts'
import { fillsOfAddress } from './operations/perpdex/fills-of-address.ts'
import { fillsOfOrder } from './operations/perpdex/fills-of-order.ts'
import { info } from './operations/perpdex/info.ts'
import { orderById } from './operations/perpdex/order-by-id.ts'
import { ordersLatest } from './operations/perpdex/orders-latest.ts'
import { ticker } from './operations/perpdex/ticker.ts'
import { tickers } from './operations/perpdex/tickers.ts'
import { topTrades } from './operations/perpdex/top-trades.ts'
import { tradersClearinghouseState } from './operations/perpdex/traders-clearinghouse-state.ts'

export const OPERATIONS: readonly Operation[] = [
  coinList,
  coinTicker,
  latestDepth,
  fullDepth,
  groupedDepth,
  tickers,
  ticker,
  fillsOfAddress,
  fillsOfOrder,
  topTrades,
  filledOrdersLatest,
  filledOrderById,
  ordersLatest,
  orderById,
  tradersClearinghouseState,
  info,
]

export const CHANNELS: readonly Channel[] = [
  trades,
  openOrders,
  clearinghouseState,
  l2Book,
  bbo,
  candle,
  userFills,
  userNonFundingLedgerUpdates,
  addressFills,
  addressFilledOrders,
  addressClearinghouseState,
]

/** The path prefix `P`; older prefixes that real clients still use come after it. */
export const PREFIXES = ['/api/upgrade/v2', '/api/v2', '/v2'] as const
