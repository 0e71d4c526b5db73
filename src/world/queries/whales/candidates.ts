/**
 * Positions that may be worth a whale's at some time of the story: few, so that nobody has to look
 * at the others. What they will become is only used to leave out those that never come near.
 */
import { type InstrumentRow, MONEY_DECIMALS } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'

/** A whale's position is worth more than this, micro-dollars. */
export const WHALE_VALUE = 1_000_000 * 1_000_000

/** A row of the table of positions. */
export interface Candidate {
  id: number
  trader: number
  instrument: InstrumentRow
  direction: 'long' | 'short'
  isolated: boolean
  openMs: number
  /** Infinity while it is open for ever. */
  closeMs: number
  /** Sums of the whole life; sizes in size units, notionals in micro-dollars. */
  maxSz: number
  openSz: number
  openNotional: number
  closeSz: number
  closeNotional: number
}

/** By the time of their closing, latest first. */
export const candidatesOf = perWorld((world): readonly Candidate[] => {
  const limits = limitsOf(world).map(([id, sz]) => `when ${id} then ${sz}`)
  if (limits.length === 0) return []
  const rows = world.db
    .query(`select ${COLUMNS} from position where maxSz > case instrument ${limits.join(' ')} end`)
    .values() as Values[]
  return rows
    .map((row) => candidateOf(world, row))
    .sort((a, b) => (a.closeMs === b.closeMs ? b.id - a.id : b.closeMs - a.closeMs))
})

/** Those that are open at an instant. */
export function openCandidates(world: World, atMs: number): Candidate[] {
  return candidatesOf(world).filter(({ openMs, closeMs }) => openMs <= atMs && closeMs > atMs)
}

const COLUMNS = `id, trader, instrument, direction, isolated, openMs, closeMs, maxSz, openSz,
  openNotional, closeSz, closeNotional`

type Values = [
  id: number,
  trader: number,
  instrument: number,
  direction: 'long' | 'short',
  isolated: number,
  openMs: number,
  closeMs: number | null,
  maxSz: number,
  openSz: number,
  openNotional: number,
  closeSz: number,
  closeNotional: number,
]

function candidateOf({ instruments }: World, row: Values): Candidate {
  const [id, trader, instrument, direction, isolated, openMs, closeMs, maxSz, ...sums] = row
  const [openSz, openNotional, closeSz, closeNotional] = sums
  return {
    id,
    trader,
    direction,
    openMs,
    maxSz,
    openSz,
    openNotional,
    closeSz,
    closeNotional,
    instrument: instruments[instrument] as InstrumentRow,
    isolated: isolated === 1,
    closeMs: closeMs ?? Number.POSITIVE_INFINITY,
  }
}

/** No trade is further above the highest mark price. */
const SLACK = 1.25

/** For each instrument the size, in size units, that is worth a whale's at its highest price. */
function limitsOf({ db, instruments }: World): [instrument: number, sz: number][] {
  const highest = `coalesce((select max(mark) from mark where instrument = i.id),
    (select max(px) from trade where instrument = i.id))`
  const rows = db
    .query(`select i.id, ${highest} px from instrument i where kind = 'perp' and px is not null`)
    .values() as [number, number][]
  return rows.map(([id, highest]) => {
    const { pxDecimals, szDecimals } = instruments[id] as InstrumentRow
    const scale = 10 ** (pxDecimals + szDecimals - MONEY_DECIMALS)
    return [id, Math.floor((WHALE_VALUE * scale) / (highest * SLACK))]
  })
}
