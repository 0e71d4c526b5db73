import {
  add,
  type FundingIndex,
  greater,
  type Sz,
  sz as size,
  type Usd,
  usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import type { Agent } from '../../casting/agents/agent.ts'
import type { CastingContext } from '../../casting/casting-context.ts'
import type { Holding, MarketState, OpenPosition } from '../../casting/market/market-state.ts'
import type { Database } from '../../database.ts'
import { type OpenPositionSums, openPositionSums } from '../open-position-sums.ts'

/** Takes in what everybody holds at an instant; accounts are there. */
export function restoreHoldings(
  db: Database,
  context: CastingContext,
  agents: ReadonlyMap<number, Agent>,
  atMs: number,
): void {
  const rowOf = holdingRows(db, atMs)
  for (const market of context.markets)
    for (const agent of agents.values()) {
      const row = rowOf(agent, market)
      if (row) takeIn(context, agent, market, row)
    }
  for (const sums of openPositionSums(db, atMs)) {
    const holding = context.markets[sums.instrument]?.holdings.get(sums.trader)
    if (!holding) throw new Error(`position ${sums.id} is of nobody`)
    holding.position = openPosition(sums, holding)
  }
}

interface HoldingRow {
  timeMs: number
  id: number
  sz: Sz
  cost: Usd
  funding: Usd
  fundingAtOpen: Usd
  fundingIndex: FundingIndex
  leverage: number
  isolated: number
}

type Of = [trader: number, instrument: number, atMs: number]

/** The latest row of somebody in an instrument: a fill, or tokens that came. */
function holdingRows(db: Database, atMs: number) {
  const last = 'and instrument = ? and timeMs <= ? order by timeMs desc, id desc limit 1'
  const fills = db.query<HoldingRow, Of>(
    `select timeMs, id, positionAfter as sz, costAfter as cost, fundingAfter as funding,
       fundingAtOpen, fundingIndex, leverage, isolated from fill where trader = ? ${last}`,
  )
  const tokens = db.query<HoldingRow, Of>(
    `select timeMs, id, positionAfter as sz, costAfter as cost, 0 as funding, 0 as fundingAtOpen,
       0 as fundingIndex, 1 as leverage, 0 as isolated from ledger where trader = ? ${last}`,
  )
  return ({ id }: Agent, { row, isPerp }: MarketState): HoldingRow | null => {
    const fill = fills.get(id, row.id, atMs)
    const entry = isPerp ? null : tokens.get(id, row.id, atMs)
    if (!fill || !entry) return fill ?? entry
    const isEntry =
      entry.timeMs > fill.timeMs || (entry.timeMs === fill.timeMs && entry.id > fill.id)
    return isEntry ? entry : fill
  }
}

function takeIn({ ledger }: CastingContext, agent: Agent, market: MarketState, row: HoldingRow) {
  const holding = ledger.holding(agent, market)
  holding.sz = row.sz
  holding.cost = row.cost
  holding.funding = row.funding
  holding.fundingAtOpen = row.fundingAtOpen
  holding.fundingIndex = row.fundingIndex
  holding.leverage = row.leverage
  holding.isolated = row.isolated === 1
  market.longSize = add(market.longSize, greater<Sz>(row.sz, ZERO))
  market.netSize = add(market.netSize, row.sz)
}

function openPosition(sums: OpenPositionSums, { sz }: Holding): OpenPosition {
  return {
    id: sums.id,
    long: sz > ZERO,
    openMs: sums.openMs,
    openFill: sums.openFill,
    maxSz: size(sums.maxSz),
    openSz: size(sums.openSz),
    openNotional: usd(sums.openNotional),
    closeSz: size(sums.closeSz),
    closeNotional: usd(sums.closeNotional),
    closedPnl: usd(sums.closedPnl),
    fees: usd(sums.fees),
    fundingBefore: usd(sums.fundingBefore),
    liquidation: sums.liquidation,
  }
}
