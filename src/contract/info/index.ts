/** The types of `POST /info`, in the order of the contract. */
import {
  activeAssetData,
  clearinghouseState,
  portfolio,
  spotClearinghouseState,
  subAccounts,
  userFees,
  userFunding,
  userNonFundingLedgerUpdates,
  userRateLimit,
  userRole,
  webData2,
} from './account.ts'
import { userFills, userFillsByTime, userTwapSliceFills } from './fills.ts'
import type { InfoType } from './info-type.ts'
import {
  allMids,
  candleSnapshot,
  fundingHistory,
  l2Book,
  predictedFundings,
  recentTrades,
} from './market.ts'
import { frontendOpenOrders, historicalOrders, openOrders, orderStatus } from './orders.ts'
import {
  exchangeStatus,
  meta,
  metaAndAssetCtxs,
  perpDexs,
  spotMeta,
  spotMetaAndAssetCtxs,
} from './venue.ts'

/** Those that the perpetual venue itself answers: the raw profile serves them all. */
export const VENUE_INFO_TYPES: readonly InfoType[] = [
  meta,
  spotMeta,
  clearinghouseState,
  spotClearinghouseState,
  openOrders,
  frontendOpenOrders,
  userFees,
  userFills,
  userFillsByTime,
  candleSnapshot,
  perpDexs,
  historicalOrders,
  orderStatus,
  userFunding,
  userNonFundingLedgerUpdates,
  portfolio,
  webData2,
  userTwapSliceFills,
  activeAssetData,
  allMids,
  l2Book,
  metaAndAssetCtxs,
  spotMetaAndAssetCtxs,
  fundingHistory,
  predictedFundings,
  recentTrades,
  userRateLimit,
  userRole,
  exchangeStatus,
  subAccounts,
]

/** Those that the service passes on; the others are unknown to it. */
export const INFO_TYPES: readonly InfoType[] = VENUE_INFO_TYPES.filter(
  ({ profile }) => profile === undefined,
)
