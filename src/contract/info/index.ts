/** The types of `POST /info`, in the order of the contract. */
import { activeAssetData } from './active-asset-data.ts'
import { allMids } from './all-mids.ts'
import { candleSnapshot } from './candle-snapshot.ts'
import { clearinghouseState } from './clearinghouse-state.ts'
import { exchangeStatus } from './exchange-status.ts'
import { frontendOpenOrders } from './frontend-open-orders.ts'
import { fundingHistory } from './funding-history.ts'
import { historicalOrders } from './historical-orders.ts'
import type { InfoType } from './info-type.ts'
import { l2Book } from './l2-book.ts'
import { meta } from './meta.ts'
import { metaAndAssetCtxs } from './meta-and-asset-ctxs.ts'
import { openOrders } from './open-orders.ts'
import { orderStatus } from './order-status.ts'
import { perpDexs } from './perp-dexs.ts'
import { portfolio } from './portfolio.ts'
import { predictedFundings } from './predicted-fundings.ts'
import { recentTrades } from './recent-trades.ts'
import { spotClearinghouseState } from './spot-clearinghouse-state.ts'
import { spotMeta } from './spot-meta.ts'
import { spotMetaAndAssetCtxs } from './spot-meta-and-asset-ctxs.ts'
import { subAccounts } from './sub-accounts.ts'
import { userFees } from './user-fees.ts'
import { userFills } from './user-fills.ts'
import { userFillsByTime } from './user-fills-by-time.ts'
import { userFunding } from './user-funding.ts'
import { userNonFundingLedgerUpdates } from './user-non-funding-ledger-updates.ts'
import { userRateLimit } from './user-rate-limit.ts'
import { userRole } from './user-role.ts'
import { userTwapSliceFills } from './user-twap-slice-fills.ts'
import { webData2 } from './web-data2.ts'

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
