/** All liquidations of a world in memory, oldest first. */
import { sql } from 'drizzle-orm'
import { type TapeMs, tapeMs } from '../../clock/instant.ts'
import { runToEnd, type Slices } from '../../clock/turns.ts'
import { raw } from '../../decimal/quantity.ts'
import { CROWD, type InstrumentRow, liquidation } from '../schema/schema.ts'
import { perWorld } from '../world/cache.ts'
import type { World } from '../world/world.ts'
import { columns, type RowOf } from './columns.ts'
import { lastUpTo, packedRows } from './step-series.ts'

/** Links liquidations of the same account, in order of time. */
interface LiquidatedAccount {
  /** trader.id; null for an unknown account. */
  trader: number | null
  instrument: number
}

class LiquidationAccounts {
  /** Latest index of each account, of any instrument and of one. */
  private readonly ofAny = new Map<number, number>()
  private readonly ofOne = new Map<number, number>()

  /**
   * Indexes of the account's previous liquidations, of any instrument and of this one: -1 for none,
   * its own index for an unknown account. Records this one.
   */
  priorsOf({ trader, instrument }: LiquidatedAccount, at: number): [ofAny: number, ofOne: number] {
    if (trader === null) return [at, at]
    // No crowd account is liquidated twice.
    if (trader === CROWD) return [-1, -1]
    const ofInstrument = trader * INSTRUMENTS_MAX + instrument
    return [replaced(this.ofAny, trader, at), replaced(this.ofOne, ofInstrument, at)]
  }
}

/** Exceeds the number of instruments. */
const INSTRUMENTS_MAX = 2 ** 20

function replaced(places: Map<number, number>, key: number, at: number): number {
  const prior = places.get(key) ?? -1
  places.set(key, at)
  return prior
}

/** A growing column of numbers, with amortised appends. */
class GrowingColumn {
  /** All of them. */
  values: Float64Array
  /** Own allocation; the initial values may lie among other columns. */
  private room: Float64Array | null = null

  constructor(first: Float64Array) {
    this.values = first
  }

  append(more: readonly number[]): void {
    const { length } = this.values
    const count = length + more.length
    if (this.room === null || this.room.length < count) {
      this.room = new Float64Array(Math.ceil(count * SPARE))
      this.room.set(this.values)
    }
    this.room.set(more, length)
    this.values = this.room.subarray(0, count)
  }
}

/** Growth factor of the allocation. */
const SPARE = 1.25

/** Includes future ones, so read only the past. */
interface LiquidationColumns {
  /** Ascending. */
  timesMs: Float64Array
  instruments: Float64Array
  /** 1 or 0. */
  isLong: Float64Array
  sizes: Float64Array
  /** Micro-dollars. */
  notionals: Float64Array
  pnls: Float64Array
  /**
   * Index of the previous liquidation of the same account, of any instrument and of this one: -1
   * for none, its own index for an unknown account. So a window has as many accounts as
   * liquidations without an earlier one in it.
   */
  priors: Float64Array
  ownPriors: Float64Array
}

/** A range of liquidations, the last one included; of one instrument, or of all for null. */
export interface LiquidationWindow {
  columns: LiquidationColumns
  first: number
  last: number
  of: InstrumentRow | null
}

/** Those with fromMs <= time <= toMs. */
export function liquidationsBetween(
  world: World,
  of: InstrumentRow | null,
  fromMs: TapeMs,
  toMs: TapeMs,
): LiquidationWindow {
  const columns = liquidationColumns(world)
  const { timesMs } = columns
  return { columns, of, first: lastUpTo(timesMs, fromMs - 1) + 1, last: lastUpTo(timesMs, toMs) }
}

/** Indexes in the columns, oldest first. */
export function* placesOf({ columns, first, last, of }: LiquidationWindow): Generator<number> {
  const { instruments } = columns
  for (let at = first; at <= last; at++) if (of === null || instruments[at] === of.id) yield at
}

const liquidationColumns = (world: World): LiquidationColumns => rowsOf(world).columns

const rowsOf = perWorld(
  (world) => new LiquidationRows(world),
  (rows) => rows.grown(),
)

const ROWS = columns({
  timeMs: liquidation.timeMs,
  instrument: liquidation.instrument,
  isLong: sql<number>`${liquidation.direction} = 'long'`,
  sz: liquidation.sz,
  notional: liquidation.notional,
  pnl: liquidation.closedPnl,
  trader: liquidation.trader,
  oid: liquidation.oid,
})

/** Values of a row by itself. */
const VALUES: Record<
  Exclude<keyof LiquidationColumns, 'priors' | 'ownPriors'>,
  (row: RowOf<typeof ROWS>) => number
> = {
  timesMs: ({ timeMs }) => timeMs,
  instruments: ({ instrument }) => instrument,
  isLong: ({ isLong }) => isLong,
  sizes: ({ sz }) => raw(sz),
  notionals: ({ notional }) => raw(notional),
  pnls: ({ pnl }) => raw(pnl),
}

const statement = perWorld(({ db }) =>
  ROWS.prepare<[afterMs: TapeMs, toMs: TapeMs]>(
    db,
    'from liquidation where timeMs > ? and timeMs <= ? order by timeMs, id',
  ),
)

/** Packed liquidations, and later ones. */
class LiquidationRows {
  readonly columns: LiquidationColumns
  private readonly growing: Record<keyof LiquidationColumns, GrowingColumn>
  /** Set once more follow. */
  private accounts: LiquidationAccounts | null = null
  private endMs: TapeMs

  constructor(private readonly world: World) {
    const columns = packedColumns(world)
    this.columns = columns
    this.growing = Object.fromEntries(
      Object.entries(columns).map(([name, values]) => [name, new GrowingColumn(values)]),
    ) as Record<keyof LiquidationColumns, GrowingColumn>
    this.endMs = world.packedEndMs
    runToEnd(this.grown())
  }

  *grown(): Slices<this> {
    const { world } = this
    if (this.endMs >= world.endMs) return this
    const rows = statement(world).all(this.endMs, world.endMs)
    this.endMs = world.endMs
    if (rows.length === 0) return this
    const accounts = this.accounts ?? (yield* this.readAccounts())
    const from = this.columns.timesMs.length
    const priors = rows.map((row, at) => accounts.priorsOf(row, from + at))
    const append = (name: keyof LiquidationColumns, more: number[]) => {
      this.growing[name].append(more)
      this.columns[name] = this.growing[name].values
    }
    for (const [name, value] of Object.entries(VALUES))
      append(name as keyof typeof VALUES, rows.map(value))
    append(
      'priors',
      priors.map(([prior]) => prior),
    )
    append(
      'ownPriors',
      priors.map(([, prior]) => prior),
    )
    return this
  }

  /** Of the packed ones. */
  private *readAccounts(): Slices<LiquidationAccounts> {
    const accounts = new LiquidationAccounts()
    const { timesMs } = this.columns
    let at = 0
    let afterMs = tapeMs(0)
    while (at < timesMs.length) {
      // All of an instant are read together.
      const lastMs = timesMs[Math.min(at + PLACES_A_SLICE, timesMs.length) - 1] as TapeMs
      const rows = statement(this.world).all(afterMs, lastMs)
      for (const row of rows) accounts.priorsOf(row, at++)
      afterMs = lastMs
      yield
    }
    this.accounts = accounts
    return accounts
  }
}

const PLACES_A_SLICE = 500

function packedColumns(world: World): LiquidationColumns {
  const packed = packedRows(world).sections('liquidations', 0)
  const whole = packed.map(({ data, first, length }) => data.subarray(first, first + length))
  const end = lastUpTo(whole[0] ?? new Float64Array(), world.packedEndMs) + 1
  const [timesMs, instruments, isLong, sizes, notionals, pnls, priors, ownPriors] = whole.map(
    (column) => column.subarray(0, end),
  ) as Columns
  return { timesMs, instruments, isLong, sizes, notionals, pnls, priors, ownPriors }
}

type Column = Float64Array
type Columns = [Column, Column, Column, Column, Column, Column, Column, Column]
