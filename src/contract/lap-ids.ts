/**
 * Ids of a tape that is played again: in each lap they are others, so that no trade, order or
 * article of a lap is taken for one of the lap before. Which fields are ids, and of what, stands in
 * the schema (`x-identifies`).
 */
import type { Identified, TSchema } from './schema.ts'
import { leafWalk } from './schema-walk.ts'

const idsOf = leafWalk<Identified>('x-identifies')

/** A value of lap 0 with the ids of a lap; what holds none is shared with the original. */
export function withLapIds(schema: TSchema | undefined, value: unknown, lap: number): unknown {
  if (lap === 0 || schema === undefined) return value
  return idsOf(schema)?.(value, (id, of) => IDS[of](id, lap)) ?? value
}

/** Whether values of a schema are others in other laps. */
export const hasLapIds = (schema: TSchema): boolean => idsOf(schema) !== null

/** A value of a lap with the ids of lap 0; an id of another lap becomes one that there is not. */
export function withoutLapIds(schema: TSchema | undefined, value: unknown, lap: number): unknown {
  return withLapIds(schema, value, -lap)
}

/** Gives the id of a lap; a negative one takes that back. */
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
const RING = 2n ** 52n
const RING_STEP = 2_783_369_134_402_557n

const turned: LapId = (id, lap) => {
  if (typeof id !== 'number') return id
  return Number((((BigInt(id) + BigInt(lap) * RING_STEP) % RING) + RING) % RING)
}

/** The first eight digits of a hash differ by lap; that of no transaction is all zeros. */
const masked: LapId = (hash, lap) => {
  if (typeof hash !== 'string' || !/^0x[0-9a-f]{9,}$/.test(hash) || /^0x0+$/.test(hash)) return hash
  const mask = Math.imul(Math.abs(lap), 0x9e37_79b1)
  const first = (Number.parseInt(hash.slice(2, 10), 16) ^ mask) >>> 0
  return `0x${first.toString(16).padStart(8, '0')}${hash.slice(10)}`
}

const IDS: Record<Identified, LapId> = {
  order: spaced(500_000_000_000),
  trade: turned,
  twap: spaced(10_000_000),
  transaction: masked,
  article: spaced(1_000_000_000),
}
