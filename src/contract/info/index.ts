/** The types of `POST /info`, in the order of the contract. */
import { allMids } from './all-mids.ts'
import { candleSnapshot } from './candle-snapshot.ts'
import { clearinghouseState } from './clearinghouse-state.ts'
import type { InfoType } from './info-type.ts'
import { l2Book } from './l2-book.ts'
import { meta } from './meta.ts'
import { openOrders } from './open-orders.ts'
import { spotMeta } from './spot-meta.ts'
import { userFills } from './user-fills.ts'
import { userFillsByTime } from './user-fills-by-time.ts'

export const INFO_TYPES: readonly InfoType[] = [
  meta,
  spotMeta,
  clearinghouseState,
  openOrders,
  userFills,
  userFillsByTime,
  candleSnapshot,
  allMids,
  l2Book,
]
