import type { LiquidatedPosition } from '../../../contract/records/liquidation.ts'
import { type InstrumentRow, pxText, szText, usdText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'
import { tradersOf } from '../traders.ts'

/**
 * Forced closings with fromMs < time <= toMs, largest first. Those of which the tape names no
 * trades have no account, so they are left out.
 */
export function topPositions(
  world: World,
  of: InstrumentRow,
  [fromMs, toMs]: readonly [number, number],
  limit: number,
): LiquidatedPosition[] {
  const rows = largest(world).all(of.id, fromMs, toMs, limit) as Row[]
  const { address } = tradersOf(world)
  return rows.map((row) => ({
    time: row.timeMs,
    address: address(row.trader),
    coin: of.coin,
    direction: row.direction,
    oid: row.oid,
    liqPrice: pxText(of, row.liquidationPx ?? row.markPx),
    liquidatedVal: usdText(row.notional),
    pnl: usdText(row.closedPnl),
    startPosition: szText(of, row.startPosition),
    endPosition: szText(of, row.positionAfter),
  }))
}

interface Row {
  timeMs: number
  trader: number
  direction: 'long' | 'short'
  oid: number
  liquidationPx: number | null
  markPx: number
  notional: number
  closedPnl: number
  startPosition: number
  positionAfter: number
}

const largest = perWorld(({ db }) =>
  db.prepare(
    `select timeMs, trader, direction, oid, liquidationPx, markPx, notional, closedPnl,
     startPosition, positionAfter from liquidation
     where instrument = ? and timeMs > ? and timeMs <= ? and trader is not null
     order by notional desc, id limit ?`,
  ),
)
