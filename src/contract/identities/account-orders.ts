/** Orders, fills and TWAPs of an account are the same wherever they are answered. */

import { CONTRACT } from '../operations.ts'
import type { UserFill } from '../records/fill.ts'
import type { FrontendOrder, OpenOrder } from '../records/order.ts'
import { dexName } from './account-money.ts'
import {
  allRows,
  answerOf,
  atMost,
  type Comparison,
  equal,
  groupedBy,
  type Identity,
  isWhole,
  MICRO,
  product,
  rounded,
  sameNumbers,
  sameRows,
  sum,
} from './identity.ts'

const { perpdex } = CONTRACT

export const fillsOfEndpoints: Identity = {
  id: 'fills',
  sentence: 'The latest fills of an address are those of info: the same orders, prices and sizes.',
  source: 'perpdex.fillsOfAddress, userFills; one fact through two endpoints',
  *compare(address) {
    const parameters = { path: { address }, query: { limit: '200' } }
    const fills = (yield* answerOf(perpdex.fillsOfAddress, parameters)) ?? []
    const native = ((yield { type: 'userFills', user: address }) as UserFill[] | null) ?? []
    const simple = fills.flatMap((fill) => ('price' in fill ? [fill] : []))
    // The oldest instant may be cut.
    const [first] = simple
    if (simple.length < fills.length || !first) return []
    const keyOf = (oid: number, time: number) => `${oid} ${time}`
    const others = groupedBy(native, ({ oid, time }) => keyOf(oid, time))
    return [...groupedBy(simple, ({ oid, time }) => keyOf(oid, time))].flatMap(([key, own]) => {
      const same = others.get(key) ?? []
      const records = { own, same }
      if (own[0]?.time === first.time && simple.length >= 200) return []
      const size = sum(own.map((fill) => fill.size))
      const value = sum(own.map((fill) => product(fill.price, fill.size)))
      return [
        equal(`${key} size`, size, sum(same.map((fill) => fill.sz)), records),
        equal(`${key} value`, value, sum(same.map(({ px, sz }) => product(px, sz))), records),
      ]
    })
  },
}

export const fillsOfOrders: Identity = {
  id: 'order-fills',
  sentence:
    'The filled size of an order is the sum of its fills, and no more than its size; none is ' +
    'beyond its limit.',
  source: 'perpdex.filledOrdersLatest, perpdex.fillsOfOrder, perpdex.filledOrderById; Order',
  *compare(address) {
    const parameters = { path: { address }, query: { limit: '10' } }
    const orders = (yield* answerOf(perpdex.filledOrdersLatest, parameters)) ?? []
    const comparisons: Comparison[] = []
    for (const order of orders) {
      if ('order' in order) continue
      const { oid, filledSize, size } = order
      const fills = (yield* answerOf(perpdex.fillsOfOrder, { path: { oid: `${oid}` } })) ?? []
      const own = fills.map((fill) => ('size' in fill ? fill.size : fill.sz))
      const records = { order, fills }
      comparisons.push(equal(`${oid} fills`, filledSize, sum(own), records))
      comparisons.push(atMost(`${oid} size`, filledSize, size, records))
      const found = yield* answerOf(perpdex.filledOrderById, { path: { oid: `${oid}` } })
      const same = found && !('order' in found) ? found.filledSize : '0'
      comparisons.push(equal(`${oid} alone`, same, filledSize, { order, found }))
      comparisons.push(...sameNumbers(`${oid}`, order, found))
      for (const fill of fills) {
        const price = 'price' in fill ? fill.price : fill.px
        const [low, high] = isBuy(order.side) ? [price, order.price] : [order.price, price]
        comparisons.push(atMost(`${oid} price`, low, high, records))
      }
    }
    return comparisons
  },
}

const isBuy = (side: string) => /^b/i.test(side)

export const openOrdersOfEndpoints: Identity = {
  id: 'open-orders',
  sentence:
    'An open order is the same in openOrders and in frontendOpenOrders, and has a size left.',
  source: 'openOrders, frontendOpenOrders, perpDexs; one fact through two endpoints',
  *compare(user) {
    const dexs = (yield { type: 'perpDexs' }) as ({ name: string } | null)[]
    const comparisons: Comparison[] = []
    for (const dex of dexs.map((one) => one?.name ?? '')) {
      const short = ((yield { type: 'openOrders', user, dex }) as OpenOrder[] | null) ?? []
      const long =
        ((yield { type: 'frontendOpenOrders', user, dex }) as FrontendOrder[] | null) ?? []
      const oids = { openOrders: oidsOf(short), frontendOpenOrders: oidsOf(long) }
      comparisons.push(equal(`${dexName(dex)} count`, short.length, long.length, oids))
      const byOid = new Map(long.map((order) => [order.oid, order]))
      for (const order of short) {
        const other = byOid.get(order.oid)
        const records = { order, other }
        for (const name of ['limitPx', 'sz', 'origSz', 'timestamp'] as const)
          comparisons.push(equal(`${order.oid} ${name}`, order[name], other?.[name] ?? 0, records))
        comparisons.push(atMost(`${order.oid} left`, order.sz, order.origSz, records))
      }
    }
    return comparisons
  },
}

const oidsOf = (orders: readonly { oid: number }[]) => orders.map(({ oid }) => oid)

export const slicesOfTwaps: Identity = {
  id: 'twap-fills',
  sentence: 'A TWAP has executed the sum of its fills, and no more than its size.',
  source: 'perpdex.twapStatesLatest, perpdex.fillsOfTwap; Action map, TWAP',
  *compare(address) {
    const parameters = { path: { address }, query: { limit: '5' } }
    const twaps = (yield* answerOf(perpdex.twapStatesLatest, parameters)) ?? []
    const comparisons: Comparison[] = []
    for (const twap of twaps) {
      const { twapId, executedSz, executedNtl, sz } = twap
      const path = { twapid: `${twapId}` }
      const fills = (yield* answerOf(perpdex.fillsOfTwap, { path })) ?? []
      const own = fills.map((fill) =>
        'size' in fill ? ([fill.price, fill.size] as const) : ([fill.px, fill.sz] as const),
      )
      const records = { twap, fills }
      const value = sum(own.map(([px, size]) => product(px, size)))
      const within = rounded(product(MICRO, own.length + 1))
      comparisons.push(
        equal(`${twapId} size`, executedSz, sum(own.map(([, size]) => size)), records),
      )
      comparisons.push({ ...equal(`${twapId} value`, executedNtl, value, records), ...within })
      comparisons.push(atMost(`${twapId} most`, executedSz, sz, records))
    }
    return comparisons
  },
}

export const fillsOfTypes: Identity = {
  id: 'fills-by-time',
  sentence: 'The latest fills of info are those of userFillsByTime.',
  source: 'userFills, userFillsByTime; one fact through two endpoints',
  *compare(user) {
    const latest = ((yield { type: 'userFills', user }) as UserFill[] | null) ?? []
    const all = yield* allRows<UserFill>({ type: 'userFillsByTime', user }, 2000)
    // Several may be one trade with oneself.
    const keyOf = ({ tid, side }: UserFill) => `${tid} ${side}`
    const shown = new Set(latest.map(keyOf))
    if (!isWhole(all)) return []
    const same = all.filter((fill) => shown.has(keyOf(fill)))
    return sameRows('', latest, same, keyOf)
  },
}

export const termsOfTwaps: Identity = {
  id: 'twap-terms',
  sentence: 'A running TWAP has the same size, progress and minutes in both lists.',
  source: 'perpdex.twapsTopImpact, perpdex.twapStatesLatest; one fact through two endpoints',
  *compare(address) {
    const running = (yield* answerOf(perpdex.twapsTopImpact, { query: { limit: '100' } })) ?? []
    const own = running.filter((one) => one.address.toLowerCase() === address.toLowerCase())
    if (own.length === 0) return []
    const parameters = { path: { address }, query: { limit: '100' } }
    const states = (yield* answerOf(perpdex.twapStatesLatest, parameters)) ?? []
    return own.flatMap(({ twapId, sz, executedSz, minutes, timestamp }) => {
      const terms = { sz, executedSz, minutes, timestamp }
      return sameNumbers(
        `${twapId}`,
        terms,
        states.find((one) => one.twapId === twapId),
      )
    })
  },
}
