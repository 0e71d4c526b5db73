import type { Database } from '../world/database.ts'

/** What a position that is open at an instant has come to by then: the sums of its row. */
export interface OpenPositionSums {
  id: number
  trader: number
  instrument: number
  openMs: number
  openFill: number
  maxSz: number
  openSz: number
  openNotional: number
  closeSz: number
  closeNotional: number
  closedPnl: number
  fees: number
  /** Paid since it was opened, as far as it is settled. */
  funding: number
  /** What was paid on the instrument before. */
  fundingBefore: number
  liquidation: number | null
}

interface FillOfPosition {
  startPosition: number
  positionAfter: number
  costAfter: number
  sz: number
  notional: number
  closedPnl: number
  fee: number
  crossed: number
  fundingAfter: number
  fundingAtOpen: number
  liquidation: number | null
}

/** The positions that are open at an instant, summed over their fills up to it. */
export function openPositionSums(db: Database, atMs: number): OpenPositionSums[] {
  const open = db.query<Opened, [number]>(
    `select id, trader, instrument, openMs, openFill from position
     where openMs <= ?1 and (closeMs is null or closeMs > ?1) order by id`,
  )
  const fills = db.query<FillOfPosition, [number, number, number, number, number]>(
    `select startPosition, positionAfter, costAfter, sz, notional, closedPnl, fee, crossed,
       fundingAfter, fundingAtOpen, liquidation from fill
     where trader = ? and instrument = ? and timeMs >= ? and timeMs <= ? and id >= ?
     order by timeMs, id`,
  )
  return open.all(atMs).map((position) => {
    const { trader, instrument, openMs, openFill } = position
    return sumsOf(position, fills.all(trader, instrument, openMs, atMs, openFill))
  })
}

type Opened = Pick<OpenPositionSums, 'id' | 'trader' | 'instrument' | 'openMs' | 'openFill'>

function sumsOf(
  { id, trader, instrument, openMs, openFill }: Opened,
  [first, ...others]: readonly FillOfPosition[],
): OpenPositionSums {
  if (!first) throw new Error(`position ${id} has no fill`)
  const sums: OpenPositionSums = {
    id,
    trader,
    instrument,
    openMs,
    openFill,
    maxSz: Math.abs(first.positionAfter),
    openSz: Math.abs(first.positionAfter),
    openNotional: Math.abs(first.costAfter),
    closeSz: 0,
    closeNotional: 0,
    closedPnl: 0,
    // Of a flip, the whole fee counts with the position that it closed.
    fees: first.startPosition === 0 ? first.fee : 0,
    funding: first.fundingAfter - first.fundingAtOpen,
    fundingBefore: first.fundingAtOpen,
    liquidation: null,
  }
  for (const fill of others) addFill(sums, fill)
  return sums
}

function addFill(sums: OpenPositionSums, fill: FillOfPosition): void {
  const held = Math.abs(fill.positionAfter)
  if (held > Math.abs(fill.startPosition)) {
    sums.openSz += fill.sz
    sums.openNotional += fill.notional
  } else {
    sums.closeSz += fill.sz
    sums.closeNotional += fill.notional
  }
  sums.maxSz = Math.max(sums.maxSz, held)
  sums.closedPnl += fill.closedPnl
  sums.fees += fill.fee
  sums.funding = fill.fundingAfter - sums.fundingBefore
  if (fill.crossed === 1) sums.liquidation ??= fill.liquidation
}
