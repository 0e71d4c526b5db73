/** Books and best prices of the tape's venue. */

import type { BookQuery, BooksFacts } from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { Bbo, BookLevel, L2Book } from '../../../../contract/records/book.ts'
import { parse, px, subtract } from '../../../../decimal/quantity.ts'
import type { PriceLevel } from '../../../books/book.ts'
import { levelText, type Rounding, roundedLevels } from '../../../books/book.ts'
import { bookCacheOf } from '../../../books/book-cache.ts'
import { NATIVE_DECIMALS } from '../../../formatting/decimal-text.ts'
import { type InstrumentRow, pxText } from '../../../schema/schema.ts'
import type { World } from '../../../world/world.ts'

export class BookQueries implements BooksFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  l2(query: BookQuery): L2Book | null {
    const instrument = this.world.byCoin.get(query.coin)
    if (!instrument) return null
    const { coin } = instrument
    const { atMs } = this.moment
    const rounding = roundingOf(query)
    const shown = bookCacheOf(this.world).look(instrument, atMs, (book) => ({
      time: book.timeMs,
      levels: roundedLevels(book, instrument, rounding),
    }))
    if (!shown) return { coin, time: atMs, levels: [[], []] }
    const { levels } = shown
    const answer: L2Book = { coin, ...shown }
    if (rounding === null) return answer
    const spread = spreadOf(levels, instrument)
    return spread === null ? answer : { ...answer, spread }
  }

  bbo(coin: string): Bbo | null {
    const instrument = this.world.byCoin.get(coin)
    if (!instrument) return null
    const { atMs } = this.moment
    const best = (side: readonly PriceLevel[]) => (side[0] ? levelText(side[0], instrument) : null)
    const quote = bookCacheOf(this.world).look(instrument, atMs, (book) => ({
      time: book.timeMs,
      bbo: [best(book.bids), best(book.asks)] satisfies Bbo['bbo'],
    }))
    return { coin, ...(quote ?? { time: atMs, bbo: [null, null] }) }
  }
}

/** nSigFigs 2 to 5; mantissa applies with 5 only. Anything else is the unrounded book. */
function roundingOf({ nSigFigs, mantissa }: BookQuery): Rounding | null {
  if (nSigFigs === undefined || nSigFigs === null) return null
  const fine = nSigFigs === 5 && (mantissa === 2 || mantissa === 5)
  return { figures: nSigFigs, mantissa: fine ? mantissa : 1 }
}

/** Best ask less best bid of the levels as shown. */
function spreadOf(
  [bids, asks]: readonly [BookLevel[], BookLevel[]],
  of: InstrumentRow,
): string | null {
  const [bid, ask] = [bids[0], asks[0]]
  if (!bid || !ask) return null
  const price = (level: BookLevel) => px(parse(level.px, of.pxDecimals))
  return pxText(of, subtract(price(ask), price(bid)), NATIVE_DECIMALS)
}
