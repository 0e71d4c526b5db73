/**
 * Everything that ever changes what a trader owns, in memory: cash of each purse, what is held of
 * each instrument, and what came in. Rows of the future are in it too, so ask for the past only.
 */
import type { TapeMs } from '../../../clock/instant.ts'
import { add, type Px, subtract, type Usd, ZERO } from '../../../decimal/quantity.ts'
import { positionValue, unrealisedPnl } from '../../accounting/margin.ts'
import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { tradersOf } from '../traders.ts'
import { changesOf, type Held } from './track-rows.ts'

/** Where money can be: the main dex, all builder dexes, spot. */
export type Room = 'main' | 'builder' | 'spot'

/** What a trader owned at an instant, and what had come in by then. */
export interface Point {
  timeMs: TapeMs
  main: Usd
  builder: Usd
  spot: Usd
  /** Sums of what came in less what went out, tokens at their value then. */
  perpIn: Usd
  spotIn: Usd
}

/** Values that change at instants; a value holds until the next one. */
export interface Line<T> {
  timesMs: number[]
  values: T[]
}

export interface Track {
  /** Rows that it was made of. */
  rows: number
  /** Time of the first row; null when there is none. */
  firstMs: TapeMs | null
  purses: { room: Room; cash: Line<Usd> }[]
  holdings: { room: Room; instrument: InstrumentRow; held: Line<Held> }[]
  perpIn: Line<Usd>
  spotIn: Line<Usd>
}

/** Reads the track of a trader. */
export function readTrack(world: World, trader: number): Track {
  const rows = changesOf(world, trader)
  const purses = new Map<number, Track['purses'][number]>()
  const holdings = new Map<number, Track['holdings'][number]>()
  const [perpIn, spotIn] = [lineOf<Usd>(), lineOf<Usd>()]
  const rooms = roomsOf(world, trader)
  for (const row of rows) {
    const room = rooms.get(row.account) ?? 'main'
    const purse = purses.get(row.account) ?? { room, cash: lineOf<Usd>() }
    purses.set(row.account, purse)
    push(purse.cash, row.timeMs, row.cash)
    if (row.held !== null && row.instrument !== null) {
      const instrument = world.instruments[row.instrument] as InstrumentRow
      const one = holdings.get(instrument.id) ?? { room, instrument, held: lineOf<Held>() }
      holdings.set(instrument.id, one)
      push(one.held, row.timeMs, row.held)
    }
    if (row.came !== ZERO) raise(room === 'spot' ? spotIn : perpIn, row.timeMs, row.came)
  }
  const lines = { purses: [...purses.values()], holdings: [...holdings.values()], perpIn, spotIn }
  return { rows: rows.length, firstMs: rows[0]?.timeMs ?? null, ...lines }
}

/** What else has to be known of an instant: prices, and the funding that is paid in all. */
export interface Terms {
  price(instrument: InstrumentRow): Px
  paid(instrument: InstrumentRow, held: Held): Usd
}

/** What a track says of an instant. */
export function pointAt(track: Track, timeMs: TapeMs, terms: Terms): Point {
  const point: Point = { timeMs, main: ZERO, builder: ZERO, spot: ZERO, perpIn: ZERO, spotIn: ZERO }
  for (const { room, cash } of track.purses)
    point[room] = add(point[room], at(cash, timeMs) ?? ZERO)
  for (const { room, instrument, held } of track.holdings) {
    const one = at(held, timeMs)
    if (one === undefined) continue
    if (instrument.kind === 'perp') point[room] = subtract(point[room], terms.paid(instrument, one))
    if (one.sz !== ZERO)
      point[room] = add(point[room], worth(one, instrument, terms.price(instrument)))
  }
  point.perpIn = at(track.perpIn, timeMs) ?? ZERO
  point.spotIn = at(track.spotIn, timeMs) ?? ZERO
  return point
}

/** Of a token its value; of a perpetual its unrealised PnL. */
function worth(held: Held, of: InstrumentRow, px: Px): Usd {
  return of.kind === 'spot' ? positionValue(held.sz, px, of) : unrealisedPnl(held, px, of)
}

function roomsOf(world: World, trader: number): Map<number, Room> {
  const rooms = new Map<number, Room>()
  const { accountOf } = tradersOf(world)
  for (const dex of dexesOf(world)) {
    const account = accountOf(trader, dex)
    if (account === undefined) continue
    rooms.set(account, dex === '' ? 'main' : dex === 'spot' ? 'spot' : 'builder')
  }
  return rooms
}

/** Names of all purses that there can be. */
export function dexesOf(world: World): string[] {
  return [...new Set(['', 'spot', ...world.instruments.map(({ dex }) => dex)])]
}

function lineOf<T>(): Line<T> {
  return { timesMs: [], values: [] }
}

/** Of several changes of one instant the last counts. */
function push<T>({ timesMs, values }: Line<T>, timeMs: TapeMs, value: T): void {
  const last = timesMs.length - 1
  if (timesMs[last] === timeMs) values[last] = value
  else {
    timesMs.push(timeMs)
    values.push(value)
  }
}

function raise(line: Line<Usd>, timeMs: TapeMs, change: Usd): void {
  push(line, timeMs, add(line.values.at(-1) ?? ZERO, change))
}

/** The value that holds at an instant; undefined before the first. */
export function at<T>({ timesMs, values }: Line<T>, timeMs: TapeMs): T | undefined {
  let [low, high] = [0, timesMs.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((timesMs[middle] as number) <= timeMs) low = middle + 1
    else high = middle
  }
  return values[low - 1]
}
