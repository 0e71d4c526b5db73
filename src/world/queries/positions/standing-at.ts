/** How a position stood at an instant of its life. */
import { positionValue, unrealisedPnl } from '../../accounting/margin.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'
import { markPx } from '../purse.ts'
import type { Life } from './life.ts'

/** Signed size and cost; value and PnL at the mark, micro-dollars. */
export interface Standing {
  sz: number
  value: number
  unrealised: number
}

/** As of the instant; flat before it was opened. */
export function standingAt(world: World, life: Life, atMs: number): Standing {
  const { trader, instrument, openFill } = life
  const row = statements(world).held.values(trader, instrument.id, atMs, openFill)[0]
  const [sz, cost] = (row as [number, number] | undefined) ?? [0, 0]
  const px = markPx(world, instrument, atMs) ?? 0
  return {
    sz,
    value: positionValue(sz, px, instrument),
    unrealised: unrealisedPnl({ sz, cost }, px, instrument),
  }
}

const statements = perWorld(({ db }) => ({
  held: db.prepare(
    `select positionAfter, costAfter from fill where trader = ? and instrument = ?
     and timeMs <= ? and id >= ? order by timeMs desc, id desc limit 1`,
  ),
}))
