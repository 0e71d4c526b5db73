/**
 * The contract: every operation and every channel. Each group of operations has its own list,
 * `operations/<group>.ts` for the folder `operations/<group>/`; a test compares lists and folders.
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
import { COIN } from './operations/coin.ts'
import { CONTENT } from './operations/content.ts'
import { DISTRIBUTOR } from './operations/distributor.ts'
import { FUTURES } from './operations/futures.ts'
import { INDEX } from './operations/index.ts'
import { INDICATOR } from './operations/indicator.ts'
import { MIX } from './operations/mix.ts'
import { PERPDEX } from './operations/perpdex.ts'
import { SIGNAL } from './operations/signal.ts'
import { STOCK } from './operations/stock.ts'

/** Every operation by group and name. */
export const CONTRACT = {
  distributor: DISTRIBUTOR,
  coin: COIN,
  content: CONTENT,
  futures: FUTURES,
  indicator: INDICATOR,
  index: INDEX,
  stock: STOCK,
  mix: MIX,
  signal: SIGNAL,
  perpdex: PERPDEX,
}

export const OPERATIONS: readonly Operation[] = Object.values(CONTRACT).flatMap(
  (group: Record<string, Operation>) => Object.values(group),
)

/** Every channel by name. */
export const STREAMS = {
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
}

export const CHANNELS: readonly Channel[] = Object.values(STREAMS)

/** The path prefix `P`; older prefixes that real clients still use come after it. */
export const PREFIXES = ['/api/upgrade/v2', '/api/v2', '/v2'] as const
