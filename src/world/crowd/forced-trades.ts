/** Trades of an account that was liquidated which no row tells of: they are part of the bars. */
import { ZERO } from '../../decimal/quantity.ts'
import { notionalOf } from '../accounting/position.ts'
import type { CrowdAccount } from '../crowd-address.ts'
import { mixedWord } from '../hex-words.ts'
import { type ForcedOrder, forcedOid } from '../order-numbers.ts'
import { CROWD, type InstrumentRow, type LiquidationRow, type TradeRow } from '../schema.ts'

export type Forced = CrowdAccount & { kind: 'forced' }

type Traded = Pick<TradeRow, 'timeMs' | 'px' | 'sz'> & { buys: boolean }

/** What opened its position, or closed what the liquidation left. */
export function forcedTrade(
  account: Forced,
  order: ForcedOrder,
  of: InstrumentRow,
  { timeMs, px, sz, buys }: Traded,
): TradeRow {
  const oid = forcedOid(order, account.ms, account.place)
  const place = PLACES[order]
  const other = oid - 1
  return {
    // Rows count upwards from 1.
    id: -place,
    instrument: of.id,
    timeMs,
    side: buys ? 'B' : 'A',
    px,
    sz,
    notional: notionalOf(px, sz, of),
    tid: mixedWord(account.number >>> 0) * 2 ** 17 + (account.ms % 2 ** 15) * 4 + place,
    hash: null,
    buyer: CROWD,
    seller: CROWD,
    buyerOid: buys ? oid : other,
    sellerOid: buys ? other : oid,
    interestAfter: ZERO,
    liquidation: null,
  }
}

const PLACES: Record<ForcedOrder, number> = { opening: 1, liquidation: 2, rest: 3 }

/** What carried out its liquidation. */
export function tradeOfBar(
  account: Forced,
  of: InstrumentRow,
  { id, timeMs, markPx, sz, direction }: LiquidationRow,
): TradeRow {
  const traded = { timeMs, px: markPx, sz, buys: direction === 'short' }
  return { ...forcedTrade(account, 'liquidation', of, traded), liquidation: id }
}
