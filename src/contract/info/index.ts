/** The types of `POST /info`, in the order of the contract. */
import {
  activeAssetData,
  clearinghouseState,
  delegatorSummary,
  portfolio,
  spotClearinghouseState,
  subAccounts,
  userAbstraction,
  userFees,
  userFunding,
  userNonFundingLedgerUpdates,
  userRateLimit,
  userRole,
  userVaultEquities,
  webData2,
} from './account.ts'
import {
  userFills,
  userFillsByTime,
  userTwapSliceFills,
  userTwapSliceFillsByTime,
} from './fills.ts'
import type { InfoType } from './info-type.ts'
import * as listing from './listing.ts'
import {
  allMids,
  candleSnapshot,
  fundingHistory,
  l2Book,
  predictedFundings,
  recentTrades,
} from './market.ts'
import {
  frontendOpenOrders,
  historicalOrders,
  openOrders,
  orderStatus,
  twapHistory,
} from './orders.ts'
import * as settings from './settings.ts'
import * as vaults from './vaults.ts'
import {
  exchangeStatus,
  meta,
  metaAndAssetCtxs,
  perpDexs,
  spotMeta,
  spotMetaAndAssetCtxs,
} from './venue.ts'

/** The types of the perpetual venue itself, all served by the raw profile. */
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
  userAbstraction,
  delegatorSummary,
  userVaultEquities,
  twapHistory,
  userTwapSliceFillsByTime,
  ...Object.values<InfoType>(listing),
  ...Object.values<InfoType>(settings),
  ...Object.values<InfoType>(vaults),
]

/** The types that the service passes on; others are unknown to it. */
export const INFO_TYPES: readonly InfoType[] = VENUE_INFO_TYPES.filter(
  ({ profile }) => profile === undefined,
)
