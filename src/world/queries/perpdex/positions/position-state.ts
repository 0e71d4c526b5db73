/** The state of a position at an instant of its life. */

import type { TapeMs } from '../../../../clock/instant.ts'
import { type Sz, type Usd, ZERO } from '../../../../decimal/quantity.ts'
import { positionValue, unrealisedPnl } from '../../../accounting/margin.ts'
import { perWorld } from '../../../per-world.ts'
import { columns } from '../../../rows/columns.ts'
import { markPx } from '../../../rows/mark-prices.ts'
import { fill } from '../../../schema.ts'
import type { World } from '../../../world.ts'
import type { PositionLife } from './position-life.ts'

/** Signed size and cost; value and PnL at the mark. */
export interface PositionState {
  sz: Sz
  value: Usd
  unrealised: Usd
}

/** As of the instant; flat before it was opened. */
export function positionStateAt(world: World, life: PositionLife, atMs: TapeMs): PositionState {
  const { trader, instrument, openFill } = life
  const held = latest(world).get(trader, instrument.id, atMs, openFill)
  const { sz, cost } = held ?? { sz: ZERO, cost: ZERO }
  const px = markPx(world, instrument, atMs) ?? ZERO
  return {
    sz,
    value: positionValue(sz, px, instrument),
    unrealised: unrealisedPnl({ sz, cost }, px, instrument),
  }
}

const latest = perWorld(({ db }) =>
  columns({ sz: fill.positionAfter, cost: fill.costAfter }).prepare<
    [trader: number, instrument: number, atMs: TapeMs, openFill: number]
  >(
    db,
    `from fill where trader = ? and instrument = ? and timeMs <= ? and id >= ?
     order by timeMs desc, id desc limit 1`,
  ),
)
