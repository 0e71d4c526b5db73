/**
 * Who traded with whom, an hour of an instrument at a time in memory, and which orders were large.
 */
import type { Statement } from 'bun:sqlite'
import { Cache } from '../../cache.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'

const HOUR_MS = 3_600_000
/** History is sparse: there a whole day is read at once. */
const DAY_MS = 24 * HOUR_MS
/** Trades kept in memory, about 40 bytes each. */
const KEPT = 1_000_000

/** Trades of one span, rising by time. Sizes in size units. */
export interface Chunk {
  startMs: number
  endMs: number
  timesMs: Float64Array
  buyers: Int32Array
  sellers: Int32Array
  sizes: Float64Array
  /** Rising by time. */
  large: readonly LargeOrder[]
}

/** What one order took at one instant. */
export interface LargeOrder {
  timeMs: number
  side: 'A' | 'B'
  /** trader.id of the taker. */
  taker: number
  sz: number
  /** Micro-dollars. */
  notional: number
}

/** On the own venue, micro-dollars; the least that may be large on the largest exchange. */
const LEAST = 25_000 * 1e6

export const chunksOf = perWorld((world) => new Chunks(world))

export class Chunks {
  private readonly chunks = new Cache<string, Chunk>(KEPT, ({ timesMs }) => timesMs.length)
  private readonly between: Statement

  constructor(private readonly world: World) {
    this.between = world.db.prepare(
      `select timeMs, side, sz, notional, buyer, seller,
         case side when 'B' then buyerOid else sellerOid end
       from trade where instrument = ? and timeMs >= ? and timeMs < ? order by timeMs, id`,
    )
  }

  /** The span that contains an instant. */
  at(instrument: number, timeMs: number): Chunk {
    const dayMs = Math.floor(timeMs / DAY_MS) * DAY_MS
    const isPast = dayMs + DAY_MS <= this.world.startMs
    const startMs = isPast ? dayMs : Math.floor(timeMs / HOUR_MS) * HOUR_MS
    const key = `${instrument}/${startMs}`
    const endMs = startMs + (isPast ? DAY_MS : HOUR_MS)
    return this.chunks.get(key, () => this.read(instrument, startMs, endMs))
  }

  private read(instrument: number, startMs: number, endMs: number): Chunk {
    const rows = this.between.values(instrument, startMs, endMs) as Row[]
    return {
      startMs,
      endMs,
      timesMs: Float64Array.from(rows, (row) => row[0]),
      buyers: Int32Array.from(rows, (row) => row[4]),
      sellers: Int32Array.from(rows, (row) => row[5]),
      sizes: Float64Array.from(rows, (row) => row[2]),
      large: largeOf(rows),
    }
  }
}

type Row = [
  timeMs: number,
  side: 'A' | 'B',
  sz: number,
  notional: number,
  buyer: number,
  seller: number,
  oid: number,
]

/** The trades of one taker order at one instant lie together. */
function largeOf(rows: readonly Row[]): LargeOrder[] {
  const orders: LargeOrder[] = []
  let last = null as { oid: number; order: LargeOrder } | null
  for (const [timeMs, side, sz, notional, buyer, seller, oid] of rows) {
    if (last?.oid === oid && last.order.timeMs === timeMs) {
      last.order.sz += sz
      last.order.notional += notional
      continue
    }
    if (last && last.order.notional >= LEAST) orders.push(last.order)
    const taker = side === 'B' ? buyer : seller
    last = { oid, order: { timeMs, side, taker, sz, notional } }
  }
  if (last && last.order.notional >= LEAST) orders.push(last.order)
  return orders
}
