/**
 * Positions that may be worth a whale's at any time: few, so that no query has to look
 * at the others. What they will become is only used to leave out those that never come near.
 */

import { type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import { raw, usd } from '../../../../decimal/quantity.ts'
import { columns, type RowOf } from '../../../rows/columns.ts'
import { markPrices } from '../../../rows/mark-prices.ts'
import { type InstrumentRow, MONEY_DECIMALS, position } from '../../../schema/schema.ts'
import { perWorld } from '../../../world/per-world.ts'
import type { World } from '../../../world/world.ts'

/** A whale's position is worth more than this. */
export const WHALE_VALUE = usd(1_000_000 * 1_000_000)

/** Sizes and notionals are sums of the whole life. */
const STORED = columns({
  id: position.id,
  trader: position.trader,
  instrument: position.instrument,
  direction: position.direction,
  isolated: position.isolated,
  openMs: position.openMs,
  closeMs: position.closeMs,
  maxSz: position.maxSz,
  openSz: position.openSz,
  openNotional: position.openNotional,
  closeSz: position.closeSz,
  closeNotional: position.closeNotional,
})
type Stored = RowOf<typeof STORED>

/** A row of the table of positions. */
export interface WhaleCandidate extends Omit<Stored, 'instrument' | 'closeMs'> {
  instrument: InstrumentRow
  /** Infinity while it is open for ever. */
  closeMs: TapeMs
}

/** By the time of their closing, latest first. */
export const whaleCandidatesOf = (world: World): readonly WhaleCandidate[] =>
  candidatesOf(world).list

/** Those that had closed when the world grew stay as they are. */
const candidatesOf = perWorld(
  (world) => ({ list: candidatesAfter(world, tapeMs(-1)), endMs: world.endMs }),
  ({ list, endMs: beforeMs }, world) => {
    const closed = list.filter(({ closeMs }) => closeMs <= beforeMs)
    return { list: [...candidatesAfter(world, beforeMs), ...closed], endMs: world.endMs }
  },
)

/** Those that close after an instant, if ever. */
function candidatesAfter(world: World, afterMs: TapeMs): WhaleCandidate[] {
  const limits = sizeLimits(world).map(({ id, sz }) => `when ${id} then ${sz}`)
  if (limits.length === 0) return []
  const large = `from position where openMs <= ? and (closeMs is null or closeMs > ?)
    and maxSz > case instrument ${limits.join(' ')} end`
  return STORED.prepare<[toMs: TapeMs, afterMs: TapeMs]>(world.db, large)
    .all(world.endMs, afterMs)
    .map((row) => whaleCandidate(world, row))
    .sort((a, b) => (a.closeMs === b.closeMs ? b.id - a.id : b.closeMs - a.closeMs))
}

/** Those that are open at an instant. */
export function openWhaleCandidates(world: World, atMs: TapeMs): WhaleCandidate[] {
  return whaleCandidatesOf(world).filter(({ openMs, closeMs }) => openMs <= atMs && closeMs > atMs)
}

function whaleCandidate({ instruments }: World, row: Stored): WhaleCandidate {
  return {
    ...row,
    instrument: instruments[row.instrument] as InstrumentRow,
    closeMs: row.closeMs ?? tapeMs(Number.POSITIVE_INFINITY),
  }
}

/** No trade is further above the highest mark price. */
const PRICE_MARGIN = 1.25

/** For each instrument the size, in size units, that is worth a whale's at its highest price. */
function sizeLimits(world: World): { id: number; sz: number }[] {
  return world.instruments.flatMap(({ id, kind, pxDecimals, szDecimals }) => {
    const highest = kind === 'perp' ? markPrices(world)(id).highest() : null
    if (highest === null) return []
    const scale = 10 ** (pxDecimals + szDecimals - MONEY_DECIMALS)
    return { id, sz: Math.floor((raw(WHALE_VALUE) * scale) / (highest * PRICE_MARGIN)) }
  })
}
