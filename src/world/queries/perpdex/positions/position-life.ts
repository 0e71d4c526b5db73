/** One position from open to flat, or to now: which it is, and the fills that made it. */

import type { TapeMs } from '../../../../clock/instant.ts'
import type { PositionSelector } from '../../../../contract/facts/perpdex/positions.ts'
import { absolute, portion, type Sz, type Usd } from '../../../../decimal/quantity.ts'
import { perWorld } from '../../../per-world.ts'
import { columns } from '../../../rows/columns.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { fill, type InstrumentRow, position } from '../../../schema.ts'
import type { World } from '../../../world.ts'

export interface PositionLife {
  trader: number
  instrument: InstrumentRow
  direction: 'long' | 'short'
  isolated: boolean
  openMs: TapeMs
  /** null while it is open. */
  closeMs: TapeMs | null
  openFill: number
  closeFill: number | null
}

/** The part of a fill that belongs to the position, and the position after it. */
export interface PositionExecution {
  timeMs: TapeMs
  side: 'B' | 'A'
  sz: Sz
  notional: Usd
}

/** The position asked for, as of now; null when there is none. */
export function positionLifeOf(
  world: World,
  selector: PositionSelector,
  atMs: TapeMs,
): PositionLife | null {
  const trader = tradersOf(world).find(selector.address)
  const instrument = world.byCoin.get(selector.coin)
  if (!trader || !instrument) return null
  const { open, closed } = statements(world)
  const row =
    selector.at === 'open'
      ? open.get(trader.id, instrument.id, atMs)
      : closed.get(
          trader.id,
          instrument.id,
          atMs,
          selector.at.startMs ?? null,
          selector.at.endMs ?? null,
        )
  if (!row) return null
  const { closeMs, closeFill, ...rest } = row
  const isOver = selector.at !== 'open'
  return {
    ...rest,
    trader: trader.id,
    instrument,
    closeMs: isOver ? closeMs : null,
    closeFill: isOver ? closeFill : null,
  }
}

/** Its executions up to an instant, oldest first; of a flip only the part that is its own. */
export function executionsOf(
  world: World,
  life: PositionLife,
  untilMs: TapeMs,
): PositionExecution[] {
  const { trader, instrument, openMs, openFill, closeFill } = life
  const rows = statements(world).fills.all(trader, instrument.id, openMs, untilMs)
  return rows
    .filter(({ id }) => id >= openFill && (closeFill === null || id <= closeFill))
    .map(({ id, timeMs, side, sz, notional, startPosition, positionAfter }) => {
      const own =
        id === openFill ? absolute(positionAfter) : id === closeFill ? absolute(startPosition) : sz
      return { timeMs, side, sz: own, notional: own === sz ? notional : portion(notional, own, sz) }
    })
}

const LIVES = columns({
  direction: position.direction,
  isolated: position.isolated,
  openMs: position.openMs,
  closeMs: position.closeMs,
  openFill: position.openFill,
  closeFill: position.closeFill,
})
const FILLS = columns({
  id: fill.id,
  timeMs: fill.timeMs,
  side: fill.side,
  sz: fill.sz,
  notional: fill.notional,
  startPosition: fill.startPosition,
  positionAfter: fill.positionAfter,
})
type At = [trader: number, instrument: number, atMs: TapeMs]

const statements = perWorld(({ db }) => ({
  open: LIVES.prepare<At>(
    db,
    `from position where trader = ?1 and instrument = ?2 and openMs <= ?3
     and (closeMs is null or closeMs > ?3) order by openMs desc, id desc limit 1`,
  ),
  closed: LIVES.prepare<[...At, openMs: number | null, closeMs: number | null]>(
    db,
    `from position where trader = ?1 and instrument = ?2 and closeMs <= ?3
     and (?4 is null or openMs = ?4) and (?5 is null or closeMs = ?5)
     order by closeMs desc, id desc limit 1`,
  ),
  fills: FILLS.prepare<[trader: number, instrument: number, fromMs: TapeMs, untilMs: TapeMs]>(
    db,
    `from fill where trader = ? and instrument = ? and timeMs between ? and ?
     order by timeMs, id`,
  ),
}))
