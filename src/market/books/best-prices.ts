/** Best bid and offer: of the newest book, and of the tape's own stream where it has one. */

import type { TapeMs } from '../../clock/instant.ts'
import type { Bbo } from '../../contract/records/book.ts'
import type { BookLevel } from '../../contract/records/book-level.ts'
import type { Px, Sz } from '../../decimal/quantity.ts'
import { NATIVE_DECIMALS } from '../formatting/decimal-text.ts'
import { columns, type RowOf } from '../rows/columns.ts'
import { bbo, type InstrumentRow, pxText, szText } from '../schema/schema.ts'
import { perMarket } from '../world/per-world.ts'
import type { World } from '../world/world.ts'
import { bookCacheOf } from './book-cache.ts'

/** A row of the stream of best prices, of an instrument that the reader knows. */
export const BEST_PRICES = columns({
  timeMs: bbo.timeMs,
  bidPx: bbo.bidPx,
  bidSz: bbo.bidSz,
  bidN: bbo.bidN,
  askPx: bbo.askPx,
  askSz: bbo.askSz,
  askN: bbo.askN,
})
export type BestPrices = RowOf<typeof BEST_PRICES>

/** A row of the bbo table as the public stream has it. */
export function bboOf(of: InstrumentRow, row: BestPrices): Bbo {
  const { timeMs: time, bidPx, bidSz, bidN, askPx, askSz, askN } = row
  return {
    coin: of.coin,
    time,
    bbo: [level(of, bidPx, bidSz, bidN), level(of, askPx, askSz, askN)],
  }
}

function level(
  of: InstrumentRow,
  px: Px | null,
  sz: Sz | null,
  n: number | null,
): BookLevel | null {
  if (px === null || sz === null) return null
  return { px: pxText(of, px, NATIVE_DECIMALS), sz: szText(of, sz, NATIVE_DECIMALS), n: n ?? 1 }
}

/** The newest row of the bbo stream with time <= atMs; null before the first. */
export function bboRow(world: World, instrument: number, atMs: TapeMs): BestPrices | null {
  return newestBbo(world).get(instrument, atMs)
}

const newestBbo = perMarket(({ db }) =>
  BEST_PRICES.prepare<[instrument: number, atMs: TapeMs]>(
    db,
    `from bbo where instrument = ? and timeMs <= ? order by timeMs desc, id desc limit 1`,
  ),
)

/** Instruments whose tape has best prices as a stream of its own. */
export const hasBboStream = perMarket(({ db, instruments }) => {
  const any = columns({ id: bbo.id }).prepare<[instrument: number]>(
    db,
    'from bbo where instrument = ? limit 1',
  )
  return new Set(instruments.filter(({ id }) => any.get(id) !== null).map(({ id }) => id))
})

/** The newest book's best prices as whole numbers; null for an empty side or without a book. */
export function bestPrices(world: World, instrument: InstrumentRow, atMs: TapeMs) {
  const best = bookCacheOf(world).bestAt(instrument, atMs)
  return { bid: best?.bid?.px ?? null, ask: best?.ask?.px ?? null }
}
