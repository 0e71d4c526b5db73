import { type Px, type Sz, type Usd, ZERO } from '../../../decimal/quantity.ts'
import { directionText } from '../../accounting/position.ts'
import type { Holding } from '../market/market-state.ts'
import type { LiveOrder } from '../matching/order-manager.ts'
import type { TableRow } from '../writing/row-sink.ts'

/** One side of a settled trade; the holding is as it is after it. */
export interface SettledFill {
  id: number
  tradeId: number
  holding: Holding
  order: LiveOrder
  timeMs: number
  buys: boolean
  crossed: boolean
  px: Px
  sz: Sz
  notional: Usd
  startPosition: Sz
  closedPnl: Usd
  fee: Usd
  builderFee: Usd
  /** Number of the position that it belongs to; null for spot. */
  position: number | null
  liquidation: number | null
}

/** The row of a fill. */
export function fillRow(fill: SettledFill): TableRow<'fill'> {
  const { holding, order } = fill
  const { account, market } = holding
  const { builder } = account.agent
  return {
    id: fill.id,
    trade: fill.tradeId,
    trader: account.agent.id,
    account: account.id,
    instrument: market.row.id,
    timeMs: fill.timeMs,
    oid: order.oid,
    side: fill.buys ? 'B' : 'A',
    crossed: fill.crossed,
    px: fill.px,
    sz: fill.sz,
    notional: fill.notional,
    startPosition: fill.startPosition,
    positionAfter: holding.sz,
    costAfter: holding.cost,
    closedPnl: fill.closedPnl,
    fee: fill.fee,
    dir: fillDirection(fill),
    position: fill.position,
    cashAfter: account.cash,
    realisedAfter: account.realised,
    fundingAfter: holding.funding,
    fundingAtOpen: holding.fundingAtOpen,
    fundingIndex: holding.fundingIndex,
    leverage: holding.leverage,
    isolated: holding.isolated,
    twap: order.twap,
    builder: builder ? builder.id : null,
    builderFee: builder ? fill.builderFee : null,
    liquidation: fill.liquidation,
  }
}

function fillDirection({ holding, startPosition, buys, crossed, liquidation }: SettledFill) {
  if (!holding.market.isPerp) return buys ? 'Buy' : 'Sell'
  if (liquidation === null || !crossed) return directionText(startPosition, holding.sz)
  const margin = holding.isolated ? 'Isolated' : 'Cross'
  return `Liquidated ${margin} ${startPosition > ZERO ? 'Long' : 'Short'}`
}
