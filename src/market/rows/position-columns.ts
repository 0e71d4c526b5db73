/** All perpetual positions of a world in memory, in order of their closing. */
import { sql } from 'drizzle-orm'
import type { TapeMs } from '../../clock/instant.ts'
import { raw } from '../../decimal/quantity.ts'
import { position, type UnpackedSection } from '../schema/schema.ts'
import { perWorld } from '../world/cache.ts'
import type { World } from '../world/world.ts'
import { columns, type RowOf } from './columns.ts'
import { packedRows } from './step-series.ts'

/** Includes positions opened or closed later, so read only the past. */
export interface PositionColumns {
  count: number
  /** trader.id and instrument.id. */
  traders: Float64Array
  instruments: Float64Array
  openMs: Float64Array
  /** Ascending; Infinity for positions that never close. */
  closeMs: Float64Array
  /** 1 or 0. */
  isLong: Float64Array
  leverages: Float64Array
  /** PnL realised at its closing, micro-dollars. */
  pnls: Float64Array
}

/**
 * Each position is in one of these. In a growing world, positions closed some time ago stay in the
 * same columns.
 */
export const positionColumns = (world: World): readonly PositionColumns[] => partsOf(world).all

/** Data derived from such columns, computed once for each. */
export function perPositions<T>(
  make: (columns: PositionColumns, world: World) => T,
): (world: World) => readonly T[] {
  const made = new WeakMap<PositionColumns, T>()
  return (world) =>
    positionColumns(world).map((columns) => {
      const known = made.get(columns) ?? make(columns, world)
      made.set(columns, known)
      return known
    })
}

const partsOf = perWorld(
  (world) => new PositionParts(world),
  (parts) => parts.grown(),
)

/** Closed positions that are still read again when the world grows: in one slice. */
const RECENT_MAX = 250
/** Size of the columns of positions closed earlier, after the packed ones. */
const PART_MAX = 4_000

class PositionParts {
  all: readonly PositionColumns[]
  /** Closed up to an instant: final. */
  private readonly settled: PositionColumns[]
  private settledMs: TapeMs

  constructor(private readonly world: World) {
    const { packedEndMs } = world
    const packed = packedColumns(world)
    const isGrown = Number.isFinite(packedEndMs)
    this.settled = [isGrown ? closedUpTo(packed, packedEndMs) : packed]
    this.settledMs = packedEndMs
    this.all = this.settled
    if (isGrown) this.grown()
  }

  grown(): this {
    const rows = statement(this.world).all(this.world.endMs, this.settledMs)
    const recent = columnsOf(rows)
    const closed = closedUpTo(recent, this.world.endMs)
    if (closed.count > RECENT_MAX) {
      this.settle(closed)
      this.settledMs = this.world.endMs
      this.all = [...this.settled, columnsOf(rows.slice(closed.count))]
    } else this.all = [...this.settled, recent]
    return this
  }

  private settle(closed: PositionColumns): void {
    const last = this.settled.length > 1 ? this.settled.pop() : undefined
    if (last && last.count + closed.count <= PART_MAX) this.settled.push(appended(last, closed))
    else this.settled.push(...(last ? [last] : []), closed)
  }
}

function packedColumns(world: World): PositionColumns {
  const column = ({ data, first, length }: UnpackedSection) => data.subarray(first, first + length)
  return joined(packedRows(world).sections('positions', 0).map(column) as Columns)
}

const ROWS = columns({
  trader: position.trader,
  instrument: position.instrument,
  openMs: position.openMs,
  closeMs: position.closeMs,
  isLong: sql<number>`${position.direction} = 'long'`,
  leverage: position.leverage,
  pnl: position.closedPnl,
})

const statement = perWorld(({ db }) =>
  ROWS.prepare<[toMs: TapeMs, afterMs: TapeMs]>(
    db,
    `from position where openMs <= ? and (closeMs is null or closeMs > ?)
     order by closeMs is null, closeMs, id`,
  ),
)

function columnsOf(rows: readonly RowOf<typeof ROWS>[]): PositionColumns {
  const column = (value: (row: RowOf<typeof ROWS>) => number) => Float64Array.from(rows, value)
  return joined([
    column(({ trader }) => trader),
    column(({ instrument }) => instrument),
    column(({ openMs }) => openMs),
    column(({ closeMs }) => closeMs ?? Number.POSITIVE_INFINITY),
    column(({ isLong }) => isLong),
    column(({ leverage }) => leverage),
    column(({ pnl }) => raw(pnl)),
  ])
}

function closedUpTo(of: PositionColumns, atMs: TapeMs): PositionColumns {
  const open = of.closeMs.findIndex((closeMs) => closeMs > atMs)
  const end = open < 0 ? of.count : open
  return joined(columnsIn(of).map((column) => column.subarray(0, end)) as Columns)
}

function appended(one: PositionColumns, other: PositionColumns): PositionColumns {
  const [before, after] = [columnsIn(one), columnsIn(other)]
  return joined(
    before.map((column, at) => {
      const both = new Float64Array(one.count + other.count)
      both.set(column)
      both.set(after[at] as Column, one.count)
      return both
    }) as Columns,
  )
}

const columnsIn = (of: PositionColumns): Columns => [
  of.traders,
  of.instruments,
  of.openMs,
  of.closeMs,
  of.isLong,
  of.leverages,
  of.pnls,
]

function joined(all: Columns): PositionColumns {
  const [traders, instruments, openMs, closeMs, isLong, leverages, pnls] = all
  return {
    count: closeMs.length,
    traders,
    instruments,
    openMs,
    closeMs,
    isLong,
    leverages,
    pnls,
  }
}

type Column = Float64Array
type Columns = [Column, Column, Column, Column, Column, Column, Column]
