/** All liquidations of a world in memory, oldest first. */
import { sql } from 'drizzle-orm'
import { type TapeMs, tapeMs } from '../../clock/instant.ts'
import { runToEnd, type Slices } from '../../clock/turns.ts'
import { raw } from '../../decimal/quantity.ts'
import { lastUpTo } from '../binary-search.ts'
import { crowdAccount } from '../crowd-address.ts'
import { perWorld } from '../per-world.ts'
import { CROWD, type InstrumentRow, liquidation } from '../schema.ts'
import type { World } from '../world.ts'
import { columns, type RowOf } from './columns.ts'
import { GrowingColumn } from './growing-column.ts'
import { packedRows } from './packed-rows.ts'

/** Later ones are in it too, so ask for the past only. */
interface LiquidationColumns {
  /** Rising. */
  timesMs: Float64Array
  instruments: Float64Array
  /** 1 or 0. */
  isLong: Float64Array
  sizes: Float64Array
  /** Micro-dollars. */
  notionals: Float64Array
  pnls: Float64Array
  /**
   * Where the liquidation of the same account before it is, of any instrument and of this one: -1
   * for none, its own place where the account is not known. So a window has as many accounts as
   * liquidations with none before them in it.
   */
  priors: Float64Array
  ownPriors: Float64Array
}

/** Liquidations one after another, the last one included; of one instrument, or of all for null. */
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

/** Places in the columns, oldest first. */
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

const statement = perWorld(({ db }) =>
  ROWS.prepare<[afterMs: TapeMs, toMs: TapeMs]>(
    db,
    'from liquidation where timeMs > ? and timeMs <= ? order by timeMs, id',
  ),
)

/** Those that are packed, and those that came after that. */
class LiquidationRows {
  readonly columns: LiquidationColumns
  private readonly growing: Record<keyof LiquidationColumns, GrowingColumn>
  /** The latest place of each account, of any instrument and of one; once more come. */
  private places: { ofAny: Map<number, number>; ofOne: Map<number, number> } | null = null
  private endMs: TapeMs

  constructor(private readonly world: World) {
    const columns = packedColumns(world)
    this.columns = columns
    this.growing = {
      timesMs: new GrowingColumn(columns.timesMs),
      instruments: new GrowingColumn(columns.instruments),
      isLong: new GrowingColumn(columns.isLong),
      sizes: new GrowingColumn(columns.sizes),
      notionals: new GrowingColumn(columns.notionals),
      pnls: new GrowingColumn(columns.pnls),
      priors: new GrowingColumn(columns.priors),
      ownPriors: new GrowingColumn(columns.ownPriors),
    }
    this.endMs = world.packedEndMs
    runToEnd(this.grown())
  }

  *grown(): Slices<this> {
    const { world } = this
    if (this.endMs >= world.endMs) return this
    const rows = statement(world).all(this.endMs, world.endMs)
    this.endMs = world.endMs
    if (rows.length === 0) return this
    if (this.places === null) yield* this.readPlaces()
    const from = this.columns.timesMs.length
    const priors = rows.map((row, at) => this.priorsOf(row, from + at))
    const append = (name: keyof LiquidationColumns, more: number[]) => {
      this.growing[name].append(more)
      this.columns[name] = this.growing[name].values
    }
    append(
      'timesMs',
      rows.map(({ timeMs }) => timeMs),
    )
    append(
      'instruments',
      rows.map(({ instrument }) => instrument),
    )
    append(
      'isLong',
      rows.map(({ isLong }) => isLong),
    )
    append(
      'sizes',
      rows.map(({ sz }) => raw(sz)),
    )
    append(
      'notionals',
      rows.map(({ notional }) => raw(notional)),
    )
    append(
      'pnls',
      rows.map(({ pnl }) => raw(pnl)),
    )
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

  /** Of what is packed. */
  private *readPlaces(): Slices<void> {
    this.places = { ofAny: new Map(), ofOne: new Map() }
    const { timesMs } = this.columns
    let at = 0
    let afterMs = tapeMs(0)
    while (at < timesMs.length) {
      // All of an instant are read together.
      const lastMs = timesMs[Math.min(at + PLACES_A_SLICE, timesMs.length) - 1] as TapeMs
      const rows = statement(this.world).all(afterMs, lastMs)
      for (const row of rows) this.priorsOf(row, at++)
      afterMs = lastMs
      yield
    }
  }

  /** Where the account's liquidations before a place are; notes that this is one. */
  private priorsOf(row: RowOf<typeof ROWS>, at: number): [ofAny: number, ofOne: number] {
    const { ofAny, ofOne } = this.places as NonNullable<typeof this.places>
    if (row.trader === null) return [at, at]
    // Orders of the crowd tell its accounts apart.
    const isCrowd = row.trader === CROWD && row.oid !== null
    const account = isCrowd ? -1 - crowdAccount(row.oid as number) : row.trader
    const ofInstrument = account * INSTRUMENTS_MAX + row.instrument
    return [replaced(ofAny, account, at), replaced(ofOne, ofInstrument, at)]
  }
}

const PLACES_A_SLICE = 500
/** No world has more. */
const INSTRUMENTS_MAX = 2 ** 20

function replaced(places: Map<number, number>, key: number, at: number): number {
  const prior = places.get(key) ?? -1
  places.set(key, at)
  return prior
}

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
