import type { TapeMs } from '../../../../clock/instant.ts'
import type { LiquidatedPosition } from '../../../../contract/records/liquidation.ts'
import { perWorld } from '../../../per-world.ts'
import { columns, present } from '../../../rows/columns.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { type InstrumentRow, liquidation, pxText, szText, usdText } from '../../../schema.ts'
import type { World } from '../../../world.ts'

/**
 * Liquidations with fromMs < time <= toMs, largest first. Those of which the tape names no
 * trades have no account, so they are left out.
 */
export function topPositions(
  world: World,
  of: InstrumentRow,
  [fromMs, toMs]: readonly [TapeMs, TapeMs],
  limit: number,
): LiquidatedPosition[] {
  const rows = largestLiquidations(world).all(of.id, fromMs, toMs, limit)
  const { addressOf } = tradersOf(world)
  return rows.map((row) => ({
    time: row.timeMs,
    address: addressOf(row.trader, row.oid),
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

/** Those whose trades are known have all of these. */
const LARGEST = columns({
  timeMs: liquidation.timeMs,
  trader: present(liquidation.trader),
  direction: liquidation.direction,
  oid: present(liquidation.oid),
  liquidationPx: liquidation.liquidationPx,
  markPx: liquidation.markPx,
  notional: liquidation.notional,
  closedPnl: liquidation.closedPnl,
  startPosition: present(liquidation.startPosition),
  positionAfter: present(liquidation.positionAfter),
})

const largestLiquidations = perWorld(({ db }) =>
  LARGEST.prepare<[instrument: number, afterMs: TapeMs, toMs: TapeMs, limit: number]>(
    db,
    `from liquidation where instrument = ? and timeMs > ? and timeMs <= ? and trader is not null
     order by notional desc, id limit ?`,
  ),
)
