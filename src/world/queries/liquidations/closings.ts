import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'
import type { Closing } from './sums.ts'

/** Forced closings with fromMs <= time <= toMs, oldest first; of all instruments for null. */
export function closingsOf(
  world: World,
  instrument: InstrumentRow | null,
  fromMs: number,
  toMs: number,
): Closing[] {
  const { all, one } = statements(world)
  if (instrument === null) return all.all(fromMs, toMs) as Closing[]
  return one.all(instrument.id, fromMs, toMs) as Closing[]
}

const statements = perWorld(({ db }) => {
  const columns = 'instrument, timeMs, trader, direction, sz, notional, closedPnl'
  const order = 'timeMs between ? and ? order by timeMs, id'
  return {
    all: db.prepare(`select ${columns} from liquidation where ${order}`),
    one: db.prepare(`select ${columns} from liquidation where instrument = ? and ${order}`),
  }
})
