import { recordIn, recordsIn, textIn } from '../data-reading.ts'
import type { MarketFact, Recogniser } from '../market-fact.ts'

/** Last prices of coins. */
export const tickers: Recogniser = {
  sources: ['perpdex.tickers', 'perpdex.ticker'],
  facts: ({ data, timeMs, numbers }) =>
    recordsIn(Array.isArray(data) || data === null ? data : [data]).map(({ coin: name, price }) => {
      const coin = textIn(name, 'a coin')
      return { kind: 'price', coin, timeMs, px: numbers.decimal(price) }
    }),
}

/** Middles of all books. */
export const mids: Recogniser = {
  sources: ['info/allMids', 'channel/allMids'],
  facts({ data, timeMs, numbers }) {
    const prices = recordIn(data)
    const byCoin = prices.mids === undefined ? prices : recordIn(prices.mids)
    return Object.entries(byCoin).map(
      ([coin, px]): MarketFact => ({ kind: 'price', coin, timeMs, px: numbers.decimal(px) }),
    )
  },
}
