import { later, type TapeMs } from '../../clock/instant.ts'
import { trade } from '../schema/schema.ts'
import type { World } from '../world/world.ts'
import { columns, type Reader, type RowOf } from './columns.ts'
import type { LastTrade } from './minute-bars.ts'

const LAST = columns({ timeMs: trade.timeMs, px: trade.px })
const TIME = columns({ timeMs: trade.timeMs })

type Of = [instrument: number, ms: TapeMs]

/** A trade, and the end of its span as the last one. */
interface LastSpan {
  row: LastTrade
  untilMs: TapeMs
}

/**
 * The newest trades at an instant. Clients that follow a market repeat the request before the next
 * trade, so a trade requested twice is cached until the next.
 */
export class LastTrades {
  private readonly before: Reader<LastTrade, Of>
  private readonly next: Reader<RowOf<typeof TIME>, Of>
  private readonly latest: LastSpan[] = []

  constructor(private readonly world: World) {
    const from = 'from trade where instrument = ?'
    this.before = LAST.prepare(
      world.db,
      `${from} and timeMs < ? order by timeMs desc, id desc limit 1`,
    )
    this.next = TIME.prepare(world.db, `${from} and timeMs >= ? order by timeMs limit 1`)
  }

  /** The newest with time < beforeMs; null before the first. */
  at(instrument: number, beforeMs: TapeMs): LastTrade | null {
    const known = this.latest[instrument]
    if (known && known.row.timeMs < beforeMs && beforeMs <= known.untilMs) return known.row
    const row = this.before.get(instrument, beforeMs)
    if (row === null) return null
    const isRepeated = known?.row.timeMs === row.timeMs
    const untilMs = isRepeated ? this.endOf(instrument, beforeMs) : beforeMs
    this.latest[instrument] = { row, untilMs }
    return row
  }

  /** Time of the next trade, or the end of the known span without one. */
  private endOf(instrument: number, beforeMs: TapeMs): TapeMs {
    const { endMs } = this.world
    const next = beforeMs <= endMs ? this.next.get(instrument, beforeMs) : null
    return next !== null && next.timeMs <= endMs ? next.timeMs : later(endMs, 1)
  }
}
