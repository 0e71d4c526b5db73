/** Books, open orders and TWAPs of a coin agree between endpoints. */

import { CONTRACT } from '../operations.ts'
import type { L2Book } from '../records/book.ts'
import { contextOf } from './coin-market.ts'
import { ownPairOf } from './coin-positions.ts'
import {
  answerOf,
  atMost,
  type Comparison,
  equal,
  groupedBy,
  type Identity,
  MICRO,
  product,
  rounded,
  sum,
} from './identity.ts'

const { perpdex, futures } = CONTRACT

const CENT = '0.01'

export const depthOfPair: Identity = {
  id: 'depth',
  sentence: 'The book of a pair begins as the newest depth and as the book of its coin.',
  source:
    'l2Book, futures.latestDepth, futures.fullDepth, indicator.tradingPairs; Depth rules 1 and 3',
  *compare(coin) {
    const dbKey = yield* ownPairOf(coin)
    if (!dbKey) return []
    const full = yield* answerOf(futures.fullDepth, { query: { dbKey } })
    const latest = yield* answerOf(futures.latestDepth, { query: { dbKey, size: '20' } })
    const book = (yield { type: 'l2Book', coin }) as L2Book | null
    if (!full || !latest || !book) return []
    const length = latest.asks.length + latest.bids.length
    const comparisons = [equal('length', latest.length, length, latest)]
    for (const [at, side] of (['bids', 'asks'] as const).entries())
      for (const [rank, level] of latest[side].entries()) {
        const others = [full[side][rank], book.levels[at]?.map(({ px, sz }) => [px, sz])[rank]]
        for (const [which, other] of others.entries())
          for (const [part, name] of ['price', 'size'].entries()) {
            const of = `${side} ${rank} ${name} of ${which === 0 ? 'full-depth' : 'l2Book'}`
            comparisons.push(equal(of, other?.[part] ?? 0, level[part] ?? 0, { level, other }))
          }
      }
    return comparisons
  },
}

export const groupedDepth: Identity = {
  id: 'grouped-depth',
  sentence: 'The intervals of the grouped depth hold together what the whole book holds.',
  source: 'futures.groupedDepth, futures.fullDepth, indicator.tradingPairs; Depth rule 2',
  *compare(coin) {
    const dbKey = yield* ownPairOf(coin)
    if (!dbKey) return []
    const full = yield* answerOf(futures.fullDepth, { query: { dbKey } })
    const [best] = full?.bids ?? []
    if (!full || !best) return []
    const groupSize = groupSizeFor(Number(best[0]))
    const grouped = yield* answerOf(futures.groupedDepth, { query: { dbKey, groupSize } })
    if (!grouped) return []
    const comparisons = [
      equal('size of groups', grouped.groupSize, groupSize, { query: { dbKey, groupSize } }),
    ]
    for (const side of ['bids', 'asks'] as const) {
      yield
      const total = sum(grouped[side].map(([, , quantity]) => quantity))
      const whole = sum(full[side].map(([, size]) => size))
      comparisons.push(equal(side, total, whole, grouped[side]))
      yield
      const levels = full[side].map((level) => ({ level, price: product(level[0]) }))
      for (const bin of grouped[side].slice(0, BINS)) {
        yield
        const [from, to, quantity] = bin
        const [least, above] = [product(from), product(to)]
        const inside = levels
          .filter(({ price }) => least.isAtMost(price) && !above.isAtMost(price))
          .map(({ level }) => level)
        const held = sum(inside.map(([, size]) => size))
        comparisons.push(equal(`${side} from ${from}`, quantity, held, { bin, inside }))
      }
    }
    return comparisons
  },
}

const BINS = 10

/** About a thousandth of a price, as a power of ten. */
function groupSizeFor(price: number): string {
  const digits = Math.floor(Math.log10(price)) - 3
  return digits >= 0 ? `1${'0'.repeat(digits)}` : `0.${'0'.repeat(-digits - 1)}1`
}

export const bookSummary: Identity = {
  id: 'book-summary',
  sentence: 'The last row of the order-book summaries is the sum of the whole book.',
  source: 'perpdex.orderbookSummaries, futures.fullDepth, indicator.tradingPairs; Action map',
  restsOn: 'book-summary-unit',
  *compare(coin) {
    const dbKey = yield* ownPairOf(coin)
    if (!dbKey) return []
    const full = yield* answerOf(futures.fullDepth, { query: { dbKey } })
    const parameters = { path: { coin }, query: { interval: '1h' } }
    const last = (yield* answerOf(perpdex.orderbookSummaries, parameters))?.at(-1)
    if (!full || !last) return []
    const within = rounded(CENT)
    return [
      { ...equal('bids', last.bidVolume, sum(full.bids.map(([, size]) => size)), last), ...within },
      { ...equal('asks', last.askVolume, sum(full.asks.map(([, size]) => size)), last), ...within },
    ]
  },
}

export const orderedBook: Identity = {
  id: 'book-order',
  sentence: 'Bids fall and asks rise, and the best bid is below the best ask.',
  source: 'l2Book; Depth snapshot: asks ascend by price, bids descend',
  *compare(coin) {
    const book = (yield { type: 'l2Book', coin }) as L2Book | null
    if (!book) return []
    const [bids, asks] = book.levels
    const prices = [...bids.map(({ px }) => px).reverse(), ...asks.map(({ px }) => px)]
    return prices.slice(1).map((px, at) => {
      const before = prices[at] ?? '0'
      return { ...atMost(`${before} and ${px}`, before, px, book), of: `${before} below ${px}` }
    })
  },
}

export const statsOfOrders: Identity = {
  id: 'order-stats',
  sentence:
    'Open orders are bids and asks, the large ones among them, and ratios are of their values.',
  source: 'perpdex.activeOrderStats; Active order stats',
  *compare(coin) {
    const stats = yield* answerOf(perpdex.activeOrderStats, { query: { coin } })
    if (!stats) return []
    const { totalCount, bidCount, askCount, bidValue, askValue, bidValueRatio } = stats
    const { whaleBidCount, whaleAskCount, whaleBidValue, whaleAskValue } = stats
    const both = sum([bidValue, askValue])
    return [
      equal('count', totalCount, sum([bidCount, askCount]), stats),
      atMost('large bids', whaleBidCount, bidCount, stats),
      atMost('large asks', whaleAskCount, askCount, stats),
      atMost('value of large bids', whaleBidValue, bidValue, stats),
      atMost('value of large asks', whaleAskValue, askValue, stats),
      {
        ...equal('ratio', product(bidValueRatio, both), bidValue, stats),
        ...rounded(product(both, '0.000001')),
      },
    ]
  },
}

export const largestOrders: Identity = {
  id: 'top-orders',
  sentence: 'The largest open orders are worth their price times their size, and are among all.',
  source: 'perpdex.topOpenOrders, perpdex.activeOrderStats, perpdex.orderById; Top open order',
  *compare(coin) {
    const query = { coin, limit: '100' }
    const orders = (yield* answerOf(perpdex.topOpenOrders, { query })) ?? []
    const stats = yield* answerOf(perpdex.activeOrderStats, { query: { coin } })
    if (!stats) return []
    const comparisons: Comparison[] = orders.flatMap((order) => {
      const { oid, val, limitPx, sz, origSz } = order
      const value = product(limitPx, sz)
      return [
        { ...equal(`${oid} value`, val, value, order), ...rounded(CENT) },
        atMost(`${oid} size`, sz, origSz, order),
      ]
    })
    const compare = orders.length < 100 ? equal : atMost
    comparisons.push(compare('count', orders.length, stats.totalCount, stats))
    const total = sum(orders.map(({ val }) => val))
    const both = sum([stats.bidValue, stats.askValue])
    comparisons.push({ ...compare('value', total, both, stats), ...rounded('0.1') })
    for (const order of orders.slice(0, LOOKED_UP)) {
      const found = yield* answerOf(perpdex.orderById, { path: { oid: `${order.oid}` } })
      if (!found) comparisons.push(equal(`${order.oid} exists`, 0, 1, order))
      if (!found || 'order' in found) continue
      const hasEnded = ENDED.test(found.status)
      comparisons.push(equal(`${order.oid} has ended`, hasEnded ? 1 : 0, 0, { order, found }))
      comparisons.push(equal(`${order.oid} limit`, found.price, order.limitPx, { order, found }))
      comparisons.push(equal(`${order.oid} placed`, found.size, order.origSz, { order, found }))
      const left = product(found.size).minus(product(found.filledSize))
      comparisons.push(equal(`${order.oid} left`, left, order.sz, { order, found }))
    }
    return comparisons
  },
}

const LOOKED_UP = 5
const ENDED = /^(cancel|filled|rejected)/i

/** From so many dollars on an order is a large one. */
const LARGE = 100_000

export const sidesOfOrders: Identity = {
  id: 'order-sides',
  sentence: 'Bids and asks, and the large ones of each, are counted from the open orders.',
  source: 'perpdex.activeOrderStats, perpdex.topOpenOrders; Active order stats',
  *compare(coin) {
    const query = { coin, limit: '100' }
    const orders = (yield* answerOf(perpdex.topOpenOrders, { query })) ?? []
    const parameters = { query: { coin, whale_threshold: `${LARGE}` } }
    const stats = yield* answerOf(perpdex.activeOrderStats, parameters)
    if (!stats) return []
    const isWhole = orders.length < 100
    // The largest come first: where the last of them is not large, all large ones are there.
    const hasLarge = isWhole || Number(orders.at(-1)?.val) < LARGE
    const { whaleBidValue, whaleAskValue, whaleBidValueRatio } = stats
    const both = sum([whaleBidValue, whaleAskValue])
    const ratio = {
      ...equal('ratio of large', product(whaleBidValueRatio, both), whaleBidValue, stats),
      ...rounded(product(both, '0.000001').plus(MICRO)),
    }
    const sides = (['Bid', 'Ask'] as const).flatMap((side) => {
      const own = orders.filter((order) => (order.side === 'B') === (side === 'Bid'))
      const large = own.filter(({ val }) => Number(val) >= LARGE)
      const worth = (of: typeof own) => sum(of.map(({ val }) => val))
      const name = side === 'Bid' ? 'bid' : 'ask'
      const within = rounded('0.1')
      return [
        ...(isWhole
          ? [
              equal(`${name}s`, stats[`${name}Count`], own.length, stats),
              {
                ...equal(`value of ${name}s`, stats[`${name}Value`], worth(own), stats),
                ...within,
              },
            ]
          : []),
        ...(hasLarge
          ? [
              equal(`large ${name}s`, stats[`whale${side}Count`], large.length, stats),
              {
                ...equal(
                  `value of large ${name}s`,
                  stats[`whale${side}Value`],
                  worth(large),
                  stats,
                ),
                ...within,
              },
            ]
          : []),
      ]
    })
    return [ratio, ...sides]
  },
}

export const distancesOfOrders: Identity = {
  id: 'order-distance',
  sentence: 'The distance of an open order is that of its limit from the last price, in percent.',
  source: 'perpdex.topOpenOrders, perpdex.ticker; Top open order, distPct',
  *compare(coin) {
    const ticker = yield* answerOf(perpdex.ticker, { path: { coin } })
    const query = { coin, limit: '100' }
    const orders = (yield* answerOf(perpdex.topOpenOrders, { query })) ?? []
    if (!ticker) return []
    return orders.flatMap((order) => {
      if (order.distPct === null) return []
      const away = product(order.limitPx).minus(product(ticker.price)).absolute()
      const left = product(order.distPct, ticker.price).absolute()
      const within = rounded(product(ticker.price, '0.01'))
      return [{ ...equal(`${order.oid}`, left, product(away, 100), { order, ticker }), ...within }]
    })
  },
}

export const ordersOfBook: Identity = {
  id: 'book-orders',
  sentence: 'The open orders of a coin are what its book shows: their values, and their numbers.',
  source:
    'perpdex.activeOrderStats, perpdex.topOpenOrders, futures.fullDepth, l2Book, ' +
    'indicator.tradingPairs; a book is its orders',
  restsOn: 'open-order-triggers',
  *compare(coin) {
    const dbKey = yield* ownPairOf(coin)
    if (!dbKey) return []
    const full = yield* answerOf(futures.fullDepth, { query: { dbKey } })
    const stats = yield* answerOf(perpdex.activeOrderStats, { query: { coin } })
    const orders = (yield* answerOf(perpdex.topOpenOrders, { query: { coin, limit: '100' } })) ?? []
    const book = (yield { type: 'l2Book', coin }) as L2Book | null
    if (!full || !stats || !book) return []
    const comparisons: Comparison[] = []
    for (const [at, side] of (['bids', 'asks'] as const).entries()) {
      const isBid = side === 'bids'
      const value = sum(full[side].map(([price, size]) => product(price, size)))
      const [count, of] = isBid
        ? [stats.bidCount, stats.bidValue]
        : [stats.askCount, stats.askValue]
      const within = rounded(product(MICRO, count + 1))
      comparisons.push({ ...equal(`value of ${side}`, of, value, stats), ...within })
      const shown = sum((book.levels[at] ?? []).map(({ n }) => n))
      comparisons.push(atMost(`${side} shown`, shown, count, stats))
      const sizes = new Map(full[side].map(([price, size]) => [`${Number(price)}`, size]))
      const own = orders.filter((order) => (order.side === 'B') === isBid)
      for (const [price, there] of groupedBy(own, ({ limitPx }) => `${Number(limitPx)}`)) {
        const size = sum(there.map(({ sz }) => sz))
        comparisons.push(atMost(`orders at ${price}`, size, sizes.get(price) ?? 0, there))
      }
    }
    return comparisons
  },
}

export const ordersAroundBook: Identity = {
  id: 'top-order-crossing',
  sentence: 'A large order that rests does not cross the book.',
  source: 'perpdex.topOpenOrders, l2Book; a crossing order is filled when it is placed',
  *compare(coin) {
    const query = { coin, limit: '100' }
    const orders = (yield* answerOf(perpdex.topOpenOrders, { query })) ?? []
    const book = (yield { type: 'l2Book', coin }) as L2Book | null
    return orders.flatMap((order) => {
      // A trigger rests nowhere.
      if (order.tif === null) return []
      const best = book?.levels[order.side === 'A' ? 0 : 1]?.[0]?.px
      if (best === undefined) return []
      const [low, high] = order.side === 'A' ? [best, order.limitPx] : [order.limitPx, best]
      return [atMost(`${order.oid}`, low, high, order)]
    })
  },
}

export const wallOfTwaps: Identity = {
  id: 'twap-wall',
  sentence: 'The execution wall of TWAPs is what is left of the running ones.',
  source: 'perpdex.twapsExecutionWall, perpdex.twapsTopImpact; Action map, TWAP',
  *compare(coin) {
    const wall = yield* answerOf(perpdex.twapsExecutionWall, { query: { coin } })
    const query = { coin, limit: '100' }
    const running = (yield* answerOf(perpdex.twapsTopImpact, { query })) ?? []
    if (!wall || running.length >= 100) return []
    const left = (side: string) =>
      sum(running.flatMap((one) => (one.side === side ? [one.remainVal] : [])))
    const count = (side: string) => running.filter((one) => one.side === side).length
    const within = rounded(product(wall.wall.length + running.length + 1, CENT))
    const part = (name: 'buyVal' | 'sellVal') => sum(wall.wall.map((one) => one[name]))
    return [
      { ...equal('buy', wall.buyVal, left('B'), running), ...within },
      { ...equal('sell', wall.sellVal, left('A'), running), ...within },
      { ...equal('buy in stretches', part('buyVal'), wall.buyVal, wall), ...within },
      { ...equal('sell in stretches', part('sellVal'), wall.sellVal, wall), ...within },
      ...(['buySz', 'sellSz'] as const).flatMap((name) => {
        const parts = wall.wall.map((one) => one[name])
        if (parts.some((one) => one === null)) return []
        const side = name === 'buySz' ? 'B' : 'A'
        const own = sum(running.flatMap((one) => (one.side === side ? [one.remainSz] : [])))
        const within = rounded(product(own, '0.005').plus(MICRO))
        return [{ ...equal(name, sum(parts as string[]), own, wall), ...within }]
      }),
      equal('buying', wall.buyCount, count('B'), running),
      equal('selling', wall.sellCount, count('A'), running),
      ...[wall, ...wall.wall].map((one) => {
        const net = product(one.buyVal).minus(product(one.sellVal))
        return { ...equal(`${one.time} net`, one.netVal, net, one), ...rounded(CENT) }
      }),
      ...running.map((one) =>
        equal(`${one.twapId}`, one.remainSz, product(one.sz).minus(product(one.executedSz)), one),
      ),
    ]
  },
}

export const impactsOfTwaps: Identity = {
  id: 'twap-impact',
  sentence: 'The impact of a TWAP is what is left of it by the turnover of a day, in percent.',
  source: 'perpdex.twapsTopImpact, webData2; TWAP, impactPct',
  *compare(coin) {
    const query = { coin, limit: '100' }
    const running = (yield* answerOf(perpdex.twapsTopImpact, { query })) ?? []
    const context = running.length > 0 ? yield* contextOf(coin) : null
    if (!context) return []
    const { dayNtlVlm } = context
    return running.map((one) => ({
      ...equal(
        `${one.twapId}`,
        product(one.impactPct, dayNtlVlm),
        product(one.remainVal, 100),
        one,
      ),
      ...rounded(product(dayNtlVlm, '0.01').plus(product(one.remainVal, '0.5'))),
    }))
  },
}
