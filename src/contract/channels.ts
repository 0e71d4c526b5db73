/** Every declaration in channels/. Written by `bun run generate` from the folder. */
// biome-ignore-all assist/source/organizeImports: in the order of the folder
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

export const STREAMS = {
  addressClearinghouseState,
  addressFilledOrders,
  addressFills,
  bbo,
  candle,
  clearinghouseState,
  l2Book,
  openOrders,
  trades,
  userFills,
  userNonFundingLedgerUpdates,
} satisfies Record<string, Channel>
