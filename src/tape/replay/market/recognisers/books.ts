import { UserError } from '../../../../platform/user-error.ts'
import type { Level } from '../../../tape-event.ts'
import { listIn, recordIn, recordsIn, textIn, timeIn } from '../data-reading.ts'
import type { NumberReader, Recogniser } from '../market-fact.ts'

/** Whole books. One whose prices are rounded is no book of the market, and is passed over. */
export const books: Recogniser = {
  sources: ['channel/l2Book', 'info/l2Book'],
  facts({ data, asked, numbers }) {
    if (data === null || (asked.nSigFigs ?? null) !== null) return []
    const { coin: name, time, levels, spread } = recordIn(data)
    if (spread !== undefined) return []
    const coin = textIn(name, 'a coin')
    const [bids, asks] = listIn(levels).map((side) => levelsIn(side, coin, numbers))
    if (!bids || !asks) throw new UserError('has a book without its two sides')
    return [{ kind: 'book', coin, timeMs: timeIn(time), bids, asks }]
  },
}

/** The best prices. */
export const bestPrices: Recogniser = {
  sources: ['channel/bbo'],
  facts({ data, numbers }) {
    const { coin: name, time, bbo } = recordIn(data)
    const coin = textIn(name, 'a coin')
    const [bid = null, ask = null] = listIn(bbo).map(
      (level) => (level === null ? null : levelsIn([level], coin, numbers)[0]) ?? null,
    )
    return [{ kind: 'bbo', coin, timeMs: timeIn(time), bid, ask }]
  },
}

const levelsIn = (side: unknown, coin: string, numbers: NumberReader): Level[] =>
  recordsIn(side).map(({ px, sz, n }) => [
    numbers.px(coin, px),
    numbers.sz(coin, sz),
    typeof n === 'number' ? n : 1,
  ])
