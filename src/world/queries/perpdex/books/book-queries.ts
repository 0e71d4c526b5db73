/** Books and best prices of the tape's own venue. */

import type { TapeMs } from '../../../../clock/instant.ts'
import type { BookQuery } from '../../../../contract/facts/perpdex/books.ts'
import type { Facts, Moment } from '../../../../contract/facts.ts'
import type { Bbo, L2Book } from '../../../../contract/records/book.ts'
import type { BookLevel } from '../../../../contract/records/book-level.ts'
import { type Px, px, type Sz, subtract } from '../../../../decimal/quantity.ts'
import { parse } from '../../../../decimal/scaled.ts'
import { BookCache } from '../../../books/book-cache.ts'
import { levelText, type Rounding, roundedLevels } from '../../../books/rounding.ts'
import { NATIVE_DECIMALS } from '../../../formatting/decimal-text.ts'
import { perWorld } from '../../../per-world.ts'
import { columns, type RowOf } from '../../../rows/columns.ts'
import { bbo, type InstrumentRow, pxText, szText } from '../../../schema.ts'
import type { World } from '../../../world.ts'

/** The cache of a world's books. */
export const bookCacheOf = perWorld((world) => new BookCache(world))

type Facet = Facts['books']

export class BookQueries implements Facet {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  l2(query: BookQuery): L2Book | null {
    const instrument = this.world.byCoin.get(query.coin)
    if (!instrument) return null
    const { coin } = instrument
    const book = bookCacheOf(this.world).at(instrument, this.moment.atMs)
    if (!book) return { coin, time: this.moment.atMs, levels: [[], []] }
    const rounding = roundingOf(query)
    const levels = roundedLevels(book, instrument, rounding)
    const answer: L2Book = { coin, time: book.timeMs, levels }
    if (rounding === null) return answer
    const spread = spreadOf(levels, instrument)
    return spread === null ? answer : { ...answer, spread }
  }

  bbo(coin: string): Bbo | null {
    const instrument = this.world.byCoin.get(coin)
    if (!instrument) return null
    if (hasBboStream(this.world).has(instrument.id)) return this.streamed(instrument)
    const book = bookCacheOf(this.world).at(instrument, this.moment.atMs)
    if (!book) return { coin, time: this.moment.atMs, bbo: [null, null] }
    const best = (side: typeof book.bids) => (side[0] ? levelText(side[0], instrument) : null)
    return { coin, time: book.timeMs, bbo: [best(book.bids), best(book.asks)] }
  }

  private streamed(instrument: InstrumentRow): Bbo {
    const row = bboRow(this.world, instrument.id, this.moment.atMs)
    if (row) return bboOf(instrument, row)
    return { coin: instrument.coin, time: this.moment.atMs, bbo: [null, null] }
  }
}

/** nSigFigs 2 to 5; mantissa counts with 5 only. Anything else is the book as it is. */
function roundingOf({ nSigFigs, mantissa }: BookQuery): Rounding | null {
  if (nSigFigs === undefined || nSigFigs === null) return null
  const fine = nSigFigs === 5 && (mantissa === 2 || mantissa === 5)
  return { figures: nSigFigs, mantissa: fine ? mantissa : 1 }
}

/** Best ask less best bid of the levels as they are shown. */
function spreadOf(
  [bids, asks]: readonly [BookLevel[], BookLevel[]],
  of: InstrumentRow,
): string | null {
  const [bid, ask] = [bids[0], asks[0]]
  if (!bid || !ask) return null
  const price = (level: BookLevel) => px(parse(level.px, of.pxDecimals))
  return pxText(of, subtract(price(ask), price(bid)), NATIVE_DECIMALS)
}

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

const newestBbo = perWorld(({ db }) =>
  BEST_PRICES.prepare<[instrument: number, atMs: TapeMs]>(
    db,
    `from bbo where instrument = ? and timeMs <= ? order by timeMs desc, id desc limit 1`,
  ),
)

/** Instruments whose tape has best prices as a stream of its own. */
export const hasBboStream = perWorld(({ db, instruments }) => {
  const any = columns({ id: bbo.id }).prepare<[instrument: number]>(
    db,
    'from bbo where instrument = ? limit 1',
  )
  return new Set(instruments.filter(({ id }) => any.get(id) !== null).map(({ id }) => id))
})

/** The newest book's best prices as whole numbers; null for an empty side or without a book. */
export function bestPrices(world: World, instrument: InstrumentRow, atMs: TapeMs) {
  const book = bookCacheOf(world).at(instrument, atMs)
  return { bid: book?.bids[0]?.px ?? null, ask: book?.asks[0]?.px ?? null }
}
