/**
 * Ids of a tape that is played again: in each lap they are others, so that no trade, order or
 * article of a lap is taken for one of the lap before. Which fields are ids, and of what, stands in
 * the schema (`x-identifies`).
 */
import type { Identified, TSchema } from './schema.ts'
import { leafWalk } from './schema-walk.ts'

/** Finds the ids in values of a schema; null when it holds none. */
export const idsOf = leafWalk<Identified>('x-identifies')

/** A value of lap 0 with the ids of a lap; what holds none is shared with the original. */
export function withLapIds(schema: TSchema | undefined, value: unknown, lap: number): unknown {
  if (lap === 0 || schema === undefined) return value
  return idsOf(schema)?.(value, (id, of) => lapId(id, of, lap)) ?? value
}

/** A value of a lap with the ids of lap 0; an id of another lap becomes one that there is not. */
export function withoutLapIds(schema: TSchema | undefined, value: unknown, lap: number): unknown {
  return withLapIds(schema, value, -lap)
}

/** What an id of lap 0 is in a lap; a negative lap takes that back. */
export const lapId = (id: unknown, of: Identified, lap: number): unknown => IDS[of](id, lap)

type LapId = (id: unknown, lap: number) => unknown

/** So many numbers of a kind are kept for a lap: no tape and no world has larger ones. */
const spaced =
  (numbers: number): LapId =>
  (id, lap) => {
    if (typeof id === 'number') return id + (lap % lapsOf(numbers)) * numbers
    return typeof id === 'string' && /^\d+$/.test(id)
      ? String(spaced(numbers)(Number(id), lap))
      : id
  }

/** After so many laps whole numbers would not be exact any more. */
const lapsOf = (numbers: number) => Math.floor(Number.MAX_SAFE_INTEGER / numbers) - 1

/** The venue draws numbers of trades from 50 bits: each lap turns them round in a ring of 52. */
const RING = 2 ** 52
const RING_STEP = 2_783_369_134_402_557n

let latestTurn = { lap: 0, by: 0 }

/** How far a lap turns the ring: one lap asks for thousands of ids. */
function turnOf(lap: number): number {
  if (latestTurn.lap !== lap) latestTurn = { lap, by: inRing(BigInt(lap) * RING_STEP) }
  return latestTurn.by
}

const inRing = (number: bigint) => Number(BigInt.asUintN(52, number))

/** Whether it is a number that a trade may have. */
export const isTradeNumber = (id: unknown): id is number =>
  Number.isInteger(id) && Number(id) >= 0 && Number(id) < RING

const turned: LapId = (id, lap) => {
  if (isTradeNumber(id)) return turnedNumber(id, lap)
  return typeof id === 'number' ? turnedNumber(inRing(BigInt(id)), lap) : id
}

/** The number of a trade, below the ring's size, in a lap. */
export function turnedNumber(id: number, lap: number): number {
  const sum = id + turnOf(lap)
  return sum < RING ? sum : sum - RING
}

/** The first eight digits of a hash differ by lap; that of no transaction is all zeros. */
const masked: LapId = (hash, lap) => {
  if (!isTransaction(hash)) return hash
  const first = maskedDigits(Number.parseInt(hash.slice(2, 10), 16), lap)
  return `0x${first.toString(16).padStart(8, '0')}${hash.slice(10)}`
}

/** Whether it is the hash of a transaction that there was. */
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
