/** Orders of an account of the crowd: they follow from the trades. */
import { raw, sum, ZERO } from '../../decimal/quantity.ts'
import type { Agent } from '../casting/agents/agent.ts'
import type { MarketState } from '../casting/market/market-state.ts'
import type { LiveOrder } from '../casting/matching/order-manager.ts'
import type { TradeRow } from '../schema/schema.ts'
import type { AccountTrade } from './account-trades.ts'

/** How far a market order may slip. */
const SLIPPAGE = 0.05

/** Trades of one order at one instant. */
export interface AccountOrder {
  oid: number
  buys: boolean
  crossed: boolean
  /** In their order; all of one instrument. */
  trades: readonly TradeRow[]
  /** It is a liquidation, or is traded with just what there is. */
  isForced?: boolean
}

/** The trades of an account as orders, in their order. */
export function ordersOf(trades: readonly AccountTrade[]): AccountOrder[] {
  const keyOf = ({ row, buys }: AccountTrade) => (buys ? row.buyerOid : row.sellerOid)
  return [...Map.groupBy(trades, keyOf)].map(([oid, [first, ...others]]) => {
    const { row, buys } = first as AccountTrade
    const all = [row, ...others.map((one) => one.row)]
    return { oid, buys, crossed: buys === (row.side === 'B'), trades: all }
  })
}

/** It is known from the instant of its first trade on: before, nobody could have seen it. */
export function liveOrder(
  { oid, buys, crossed, trades, isForced = false }: AccountOrder,
  owner: Agent,
  market: MarketState,
  isPatient: boolean,
): LiveOrder {
  const prices = trades.map(({ px }) => raw(px))
  const last = buys ? Math.max(...prices) : Math.min(...prices)
  const isLimit = !isForced && (!crossed || isPatient)
  const isLiquidation = isForced && trades.some(({ liquidation }) => liquidation !== null)
  const tif = crossed ? ('Ioc' as const) : ('Gtc' as const)
  return {
    oid,
    trader: owner.id,
    instrument: market.row.id,
    timeMs: (trades[0] as TradeRow).timeMs,
    side: buys ? 'B' : 'A',
    limitPx: market.onTick(isLimit ? last : last * (buys ? 1 + SLIPPAGE : 1 - SLIPPAGE)),
    origSz: sum(trades.map(({ sz }) => sz)),
    filledSz: ZERO,
    orderType: isLimit ? 'Limit' : 'Market',
    tif: isLiquidation ? 'LiquidationMarket' : isLimit ? tif : 'FrontendMarket',
    reduceOnly: isLiquidation,
    triggerPx: null,
    triggerCondition: 'N/A',
    positionTpsl: false,
    cloid: null,
    twap: null,
    builder: null,
    endMs: null,
    endStatus: null,
    hash: null,
    owner,
    plannedMs: null,
    anchorPx: market.px,
  }
}
