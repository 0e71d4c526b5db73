/** One position from open to flat, or to now: which it is, and the fills that made it. */
import type { Which } from '../../../contract/facts/positions.ts'
import { share } from '../../../decimal/scaled.ts'
import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'
import { tradersOf } from '../traders.ts'

export interface Life {
  trader: number
  instrument: InstrumentRow
  direction: 'long' | 'short'
  isolated: boolean
  openMs: number
  /** null while it is open. */
  closeMs: number | null
  openFill: number
  closeFill: number | null
}

/** What of a fill belongs to the position, and how it then stood. Sizes in size units. */
export interface Part {
  timeMs: number
  side: 'B' | 'A'
  sz: number
  notional: number
}

/** The position asked for, as of now; null when there is none. */
export function lifeOf(world: World, which: Which, atMs: number): Life | null {
  const trader = tradersOf(world).find(which.address)
  const instrument = world.byCoin.get(which.coin)
  if (!trader || !instrument) return null
  const { open, closed } = statements(world)
  const row =
    which.at === 'open'
      ? open.get(trader.id, instrument.id, atMs)
      : closed.get(trader.id, instrument.id, atMs, which.at.startMs ?? null, which.at.endMs ?? null)
  if (!row) return null
  const { isolated, closeMs, closeFill, ...rest } = row as Row
  const isOver = which.at !== 'open'
  return {
    ...rest,
    trader: trader.id,
    instrument,
    isolated: isolated === 1,
    closeMs: isOver ? closeMs : null,
    closeFill: isOver ? closeFill : null,
  }
}

/** Its executions up to an instant, oldest first; of a flip only the part that is its own. */
export function partsOf(world: World, life: Life, untilMs: number): Part[] {
  const { trader, instrument, openMs, openFill, closeFill } = life
  const rows = statements(world).fills.all(trader, instrument.id, openMs, untilMs) as FillRow[]
  return rows
    .filter(({ id }) => id >= openFill && (closeFill === null || id <= closeFill))
    .map(({ id, timeMs, side, sz, notional, startPosition, positionAfter }) => {
      const own =
        id === openFill ? Math.abs(positionAfter) : id === closeFill ? Math.abs(startPosition) : sz
      return { timeMs, side, sz: own, notional: own === sz ? notional : share(notional, own, sz) }
    })
}

type Row = Omit<Life, 'trader' | 'instrument' | 'isolated'> & { isolated: number }

interface FillRow {
  id: number
  timeMs: number
  side: 'B' | 'A'
  sz: number
  notional: number
  startPosition: number
  positionAfter: number
}

const statements = perWorld(({ db }) => {
  const columns = 'direction, isolated, openMs, closeMs, openFill, closeFill'
  return {
    open: db.prepare(
      `select ${columns} from position where trader = ?1 and instrument = ?2 and openMs <= ?3
       and (closeMs is null or closeMs > ?3) order by openMs desc, id desc limit 1`,
    ),
    closed: db.prepare(
      `select ${columns} from position where trader = ?1 and instrument = ?2 and closeMs <= ?3
       and (?4 is null or openMs = ?4) and (?5 is null or closeMs = ?5)
       order by closeMs desc, id desc limit 1`,
    ),
    fills: db.prepare(
      `select id, timeMs, side, sz, notional, startPosition, positionAfter from fill
       where trader = ? and instrument = ? and timeMs between ? and ? order by timeMs, id`,
    ),
  }
})
