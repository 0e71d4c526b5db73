/** Values in the form of the tape and in the shown form: shifted instants, ids of the lap. */

import type { Identified, TimeUnit, TSchema } from './schema.ts'
import { leafWalk } from './schema-walk.ts'

// Ids in later laps of a tape: each lap has others, so that no trade, order or article is taken for
// one of an earlier lap. The schema marks ids with their kind (`x-identifies`).

/** Finds the ids in values of a schema; null when it has none. */
export const idsOf = leafWalk<Identified>('x-identifies')

/** A value of lap 0 with the ids of a lap; parts without ids are shared with the original. */
export function withLapIds(schema: TSchema | undefined, value: unknown, lap: number): unknown {
  if (lap === 0 || schema === undefined) return value
  return idsOf(schema)?.(value, (id, of) => lapId(id, of, lap)) ?? value
}

/** A value of a lap with the ids of lap 0; an id of another lap becomes an unknown one. */
function withoutLapIds(schema: TSchema | undefined, value: unknown, lap: number): unknown {
  return withLapIds(schema, value, -lap)
}

/** The id of a lap for one of lap 0; a negative lap reverses that. */
export const lapId = (id: unknown, of: Identified, lap: number): unknown => IDS[of](id, lap)

type LapId = (id: unknown, lap: number) => unknown

/** Range of the numbers of a kind in each lap: no tape and no world has larger ones. */
const spaced =
  (numbers: number): LapId =>
  (id, lap) => {
    if (typeof id === 'number') return id + (lap % lapsOf(numbers)) * numbers
    return typeof id === 'string' && /^\d+$/.test(id)
      ? String(spaced(numbers)(Number(id), lap))
      : id
  }

/** In later laps whole numbers would not be exact any more. */
const lapsOf = (numbers: number) => Math.floor(Number.MAX_SAFE_INTEGER / numbers) - 1

/** The venue draws trade ids from 50 bits: each lap rotates them in a ring of 52. */
const RING = 2 ** 52
const RING_STEP = 2_783_369_134_402_557n

let latestTurn = { lap: 0, by: 0 }

/** Rotation of a lap, cached, as one lap needs thousands of ids. */
function turnOf(lap: number): number {
  if (latestTurn.lap !== lap) latestTurn = { lap, by: inRing(BigInt(lap) * RING_STEP) }
  return latestTurn.by
}

const inRing = (number: bigint) => Number(BigInt.asUintN(52, number))

/** Whether it is a valid trade id. */
export const isTradeNumber = (id: unknown): id is number =>
  Number.isInteger(id) && Number(id) >= 0 && Number(id) < RING

const turned: LapId = (id, lap) => {
  if (isTradeNumber(id)) return turnedNumber(id, lap)
  return typeof id === 'number' ? turnedNumber(inRing(BigInt(id)), lap) : id
}

/** The trade id of a lap, below the ring's size. */
export function turnedNumber(id: number, lap: number): number {
  const sum = id + turnOf(lap)
  return sum < RING ? sum : sum - RING
}

/** The first eight digits of a hash differ by lap; the hash without a transaction is all zeros. */
const masked: LapId = (hash, lap) => {
  if (!isTransaction(hash)) return hash
  const first = maskedDigits(Number.parseInt(hash.slice(2, 10), 16), lap)
  return `0x${first.toString(16).padStart(8, '0')}${hash.slice(10)}`
}

/** Whether it is the hash of an actual transaction. */
export const isTransaction = (hash: unknown): hash is string =>
  typeof hash === 'string' && /^0x[0-9a-f]{9,}$/.test(hash) && !/^0x0+$/.test(hash)

/** The first eight digits of a hash, as a number, in a lap. */
export const maskedDigits = (first: number, lap: number): number =>
  (first ^ Math.imul(Math.abs(lap), 0x9e37_79b1)) >>> 0

const IDS: Record<Identified, LapId> = {
  order: spaced(500_000_000_000),
  trade: turned,
  twap: spaced(10_000_000),
  transaction: masked,
  article: spaced(1_000_000_000),
}

/** The parameters of the shown form. */
export interface ShownAs {
  /** Added to tape times. */
  shiftMs: number
  /** Number of restarts of the tape; 0 by default. */
  lap?: number
}

/** The value with shown times and the ids of the lap. */
export function shownValue(
  schema: TSchema | undefined,
  value: unknown,
  { shiftMs, lap = 0 }: ShownAs,
): unknown {
  return withLapIds(schema, shifted(schema, value, shiftMs), lap)
}

/** The value with tape times and the ids of the tape. */
export function tapeValue(
  schema: TSchema | undefined,
  value: unknown,
  { shiftMs, lap = 0 }: ShownAs,
): unknown {
  return withoutLapIds(schema, shifted(schema, value, -shiftMs), lap)
}

function shifted(schema: TSchema | undefined, value: unknown, byMs: number): unknown {
  if (schema === undefined || byMs === 0) return value
  return rebaseOf(schema)?.(value, byMs) ?? value
}

// Shifts the instants of a value from tape time to shown time, or back. The schema marks instants
// and their units (`x-time`), so that this is the only place for it.

/** Returns a shifted copy; parts without instants are shared with the original. */
export type Rebase = (value: unknown, shiftMs: number) => unknown

/** The shifter of a schema; null when it has no instant. Compiled once for each schema. */
export function rebaseOf(schema: TSchema): Rebase | null {
  const known = shifters.get(schema)
  if (known !== undefined) return known
  const walk = instantsOf(schema)
  const made: Rebase | null =
    walk &&
    ((value, shiftMs) => walk(value, (instant, unit) => shiftedInstant(instant, unit, shiftMs)))
  shifters.set(schema, made)
  return made
}

const shifters = new WeakMap<TSchema, Rebase | null>()

/** Finds the instants in values of a schema; null when it has none. */
export const instantsOf = leafWalk<TimeUnit>('x-time')

/** A shifted instant. */
export const shiftedInstant = (instant: unknown, unit: TimeUnit, shiftMs: number): unknown =>
  SHIFTS[unit](instant, shiftMs)

/** No instant of ours is earlier in ms (1973) or later in s (5138). */
const LEAST_MS = 1e11

const SHIFTS: Record<TimeUnit, Rebase> = {
  ms: (value, shiftMs) => (typeof value === 'number' ? value + shiftMs : value),
  s: (value, shiftMs) => (typeof value === 'number' ? value + Math.round(shiftMs / 1000) : value),
  sOrMs: (value, shiftMs) =>
    SHIFTS[typeof value === 'number' && value >= LEAST_MS ? 'ms' : 's'](value, shiftMs),
  msDigits: (value, shiftMs) =>
    typeof value === 'string' ? String(Number(value) + shiftMs) : value,
  sDigits: (value, shiftMs) =>
    typeof value === 'string' ? String(Number(value) + Math.round(shiftMs / 1000)) : value,
  iso: (value, shiftMs) =>
    typeof value === 'string' ? isoText(Date.parse(value) + shiftMs) : value,
  text: (value, shiftMs) =>
    typeof value === 'string'
      ? plainText(Date.parse(`${value.replace(' ', 'T')}Z`) + shiftMs)
      : value,
}

/** ISO 8601 in UTC with at most three decimals, trailing zeros cut: `2026-01-15T12:00:29.16Z`. */
export function isoText(timeMs: number): string {
  return new Date(timeMs)
    .toISOString()
    .replace(/(\.\d*?)0+Z$/, '$1Z')
    .replace('.Z', 'Z')
}

/** `YYYY-MM-DD HH:mm:ss`, UTC. */
export function plainText(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')
}
