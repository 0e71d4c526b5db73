/** Operations of the perpetual-DEX group, in the order of the action map. */
import type { Operation } from '../operation.ts'
import { filledOrderById } from './perpdex/filled-order-by-id.ts'
import { filledOrdersLatest } from './perpdex/filled-orders-latest.ts'
import { fillsOfAddress } from './perpdex/fills-of-address.ts'
import { fillsOfOrder } from './perpdex/fills-of-order.ts'
import { info } from './perpdex/info.ts'
import { orderById } from './perpdex/order-by-id.ts'
import { ordersLatest } from './perpdex/orders-latest.ts'
import { ticker } from './perpdex/ticker.ts'
import { tickers } from './perpdex/tickers.ts'
import { topTrades } from './perpdex/top-trades.ts'
import { tradersClearinghouseState } from './perpdex/traders-clearinghouse-state.ts'

export const PERPDEX: readonly Operation[] = [
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
