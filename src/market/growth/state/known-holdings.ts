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
import type { Database } from '../../world/database.ts'
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
  trader: number
  instrument: number
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

const OF_FILLS = `positionAfter as sz, costAfter as cost, fundingAfter as funding, fundingAtOpen,
  fundingIndex, leverage, isolated`
const OF_LEDGER = `positionAfter as sz, costAfter as cost, 0 as funding, 0 as fundingAtOpen,
  0 as fundingIndex, 1 as leverage, 0 as isolated`

/** The latest row of somebody in an instrument: a fill, or tokens that came. */
function holdingRows(db: Database, atMs: number) {
  // One statement for all of them: asked one by one they take as long as minutes of growth.
  const latest = (columns: string, table: string, kinds: string) =>
    db.query<HoldingRow, [number]>(
      `select last.trader, last.instrument, timeMs, last.id, ${columns}
       from instrument i cross join trader t cross join ${table} last
       where i.kind in (${kinds}) and last.id = (
         select id from ${table} where trader = t.id and instrument = i.id and timeMs <= ?
         order by timeMs desc, id desc limit 1)`,
    )
  const known = new Map<number, HoldingRow>()
  const keyOf = (trader: number, instrument: number) => trader * INSTRUMENTS_MAX + instrument
  const rows = [
    ...latest(OF_FILLS, 'fill', "'perp', 'spot'").all(atMs),
    ...latest(OF_LEDGER, 'ledger', "'spot'").all(atMs),
  ]
  for (const row of rows) {
    const key = keyOf(row.trader, row.instrument)
    const other = known.get(key)
    if (!other || isLater(row, other)) known.set(key, row)
  }
  return ({ id }: Agent, { row }: MarketState) => known.get(keyOf(id, row.id))
}

/** More than any world has. */
const INSTRUMENTS_MAX = 2 ** 20

const isLater = (a: HoldingRow, b: HoldingRow) =>
  a.timeMs > b.timeMs || (a.timeMs === b.timeMs && a.id > b.id)

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
