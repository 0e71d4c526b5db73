/** Orders of the perpetual DEX. */

import type { AnswerTo } from '../../../contract/questions.ts'
import {
  flatOrder,
  someCoins,
  someOpenPosition,
  someOrders,
  someTraders,
} from '../../example-filler.ts'
import type { Case, Probe } from '../../probe.ts'
import { byName, dataIn, type Observers } from '../../requirement.ts'
import {
  assertOrder,
  assertSame,
  column,
  columnSum,
  isClose,
  isJsonObject,
  isNonIncreasing,
  type JsonObject,
  objectOf,
  objectsOf,
  retryUntilHeld,
} from '../../responses.ts'

/** Orders (the service's documentation, Perpetual-DEX REST and records). */
export const ORDER_CASES: readonly Case[] = [
  {
    id: 'perpdex.orders.order',
    title: 'orders of an address come newest first',
    checks: ['perpdex.orders.order', 'perpdex.filledOrders.order'],
    run: async (probe: Probe) => {
      for (const kind of ['orders', 'filled-orders'] as const) {
        const orders = await someOrders(probe, kind)
        probe.judges(orders)
        const times = column(orders, 'time')
        assertOrder(
          probe,
          times,
          isNonIncreasing,
          `no order of ${kind} is newer than the one before it`,
        )
      }
    },
  },
  {
    id: 'perpdex.orders.status',
    title: 'a wholly filled order has status filled, a withdrawn one cancelled',
    checks: ['state.order.status'],
    run: async (probe: Probe) => {
      const orders = await someOrders(probe, 'filled-orders')
      probe.judges(orders)
      for (const order of orders) {
        const isWhole = Number(order.filledSize ?? order.origSz) === Number(order.size ?? NaN)
        const right = order.status === 'filled' || (!isWhole && mayHaveRest(order.status))
        probe.assert(right, 'a filled order has status filled, or cancelled with a rest', order)
      }
      for (const { status } of await someOrders(probe, 'orders'))
        probe.assert(/^[a-z][A-Za-z]+$/.test(String(status)), 'a status is a word', status)
    },
  },
  {
    id: 'perpdex.orders.by-id',
    title: 'an order by its id is the order of the list',
    checks: ['operation.perpdex.orderById', 'operation.perpdex.filledOrderById'],
    run: async (probe: Probe) => {
      for (const kind of ['orders', 'filled-orders'] as const) {
        const [first] = (await someOrders(probe, kind)).filter(({ status }) => status !== 'open')
        if (!first) continue
        const found = flatOrder(await objectOf(probe, { path: `/hl/${kind}/oid/${first.oid}` }))
        for (const name of ['oid', 'coin', 'side', 'status'])
          probe.assert(String(found[name]) === String(first[name]), `${name} is the same`, found)
      }
    },
  },
  {
    id: 'perpdex.orders.fills',
    title: 'the fills of a filled order add up to its filled size',
    checks: ['operation.perpdex.fillsOfOrder', 'record.order'],
    run: (probe: Probe) =>
      retryUntilHeld(probe, async () => {
        for (const order of (await someOrders(probe, 'filled-orders')).slice(0, 3)) {
          const fills = await objectsOf(probe, { path: `/hl/fills/oid/${order.oid}` })
          const sizes = fills.map((row) => ({ sz: row.size ?? row.sz }))
          // A cancelled order has a remaining size.
          const size = order.filledSize ?? Number(order.origSz) - Number(order.sz)
          if (!isClose(columnSum(sizes, 'sz'), size, 1e-9, 1e-9))
            return `the sizes of the fills of ${order.oid} add up to ${size}`
        }
        return null
      }),
  },
  {
    id: 'perpdex.orders.top.value',
    title: 'an open order is worth limit price times size, at least min_val, and so far away',
    checks: [
      ...['record.topOpenOrder.value', 'record.topOpenOrder.distance'],
      'perpdex.topOpenOrders.minVal',
    ],
    run: (probe: Probe) =>
      retryUntilHeld(probe, async () => {
        const rows = await objectsOf(probe, { path: TOP, query: { limit: 100 } })
        const tickers = await objectsOf(probe, { path: '/hl/tickers' })
        const prices = new Map(tickers.map(({ coin, price }) => [coin, Number(price)]))
        for (const row of rows) {
          const [limit, size] = [Number(row.limitPx), Number(row.sz)]
          probe.assert(isClose(row.val, limit * size), 'val is limitPx times sz', row)
          const last = prices.get(row.coin)
          if (last === undefined) continue
          const away = Math.abs(limit - last) / last
          if (!isClose(Math.abs(Number(row.distPct)), away * 100, 0.05, 0.5))
            return `distPct of ${row.oid} is ${away * 100} %`
        }
        const [, , third] = rows
        const min_val = String(Math.floor(Number(third?.val ?? 0)))
        const some = await objectsOf(probe, { path: TOP, query: { min_val, limit: 100 } })
        const wrong = some.find(({ val }) => Number(val) < Number(min_val))
        probe.assert(!wrong, `no order is worth less than ${min_val}`, wrong)
        return null
      }),
  },
  {
    id: 'perpdex.orders.stats',
    title: 'bids and asks add up to all orders, and a higher threshold finds no more whales',
    checks: ['record.activeStats.counts', 'perpdex.activeStats.threshold'],
    run: async (probe: Probe) => {
      const [coin = ''] = await someCoins(probe)
      for (const more of [{}, { coin }])
        await retryUntilHeld(probe, async () => {
          const counts: number[] = []
          for (const whale_threshold of ['0', '10000', '100000', '10000000']) {
            const query = { ...more, whale_threshold }
            const row: JsonObject = await objectOf(probe, {
              path: '/hl/orders/active-stats',
              query,
            })
            const sum = Number(row.bidCount) + Number(row.askCount)
            assertSame(probe, row.totalCount, sum, 'totalCount is bidCount and askCount')
            const whales = Number(row.whaleBidCount) + Number(row.whaleAskCount)
            const isAll = whale_threshold !== '0' || whales === row.totalCount
            probe.assert(isAll, 'from 0 on every order is large', row)
            counts.push(whales)
          }
          const [all = 0] = counts
          if (all === 0) probe.skip('there are no open orders')
          if (counts.every((count) => count === all)) return `whale_threshold counts: ${counts}`
          return isNonIncreasing(counts) ? null : `whale orders get fewer: ${counts}`
        })
    },
  },
  {
    id: 'perpdex.orders.filled-among-all',
    title: 'the orders of an address include its filled ones',
    checks: ['operation.perpdex.ordersLatest'],
    run: (probe: Probe) =>
      retryUntilHeld(probe, async () => {
        const [address = ''] = await someTraders(probe)
        const path = `/hl/filled-orders/${address}/latest`
        const filled = await objectsOf(probe, { path, query: { limit: 5 } })
        // Read later: it includes everything filled before.
        const all = await objectsOf(probe, { path: `/hl/orders/${address}/latest` })
        const ids = new Set(all.map((row) => String(flatOrder(row).oid)))
        const lost = filled.filter((row) => !ids.has(String(flatOrder(row).oid)))
        return lost.length === 0 ? null : 'no filled order is missing'
      }),
  },
]

/** Still open, or cancelled, in either spelling (open). */
const mayHaveRest = (status: unknown) => /^(open|cancell?ed)$/.test(String(status))

const TOP = '/hl/orders/top-open-orders'

/** Spellings of `cancelled` in some orders. */
const wordsIn = (data: unknown): string[] =>
  (Array.isArray(data) ? data : [])
    .map((one) => (isJsonObject(one) ? String(one.status) : ''))
    .filter((status) => /^cancell?ed$/.test(status))

/** The simple form, then the venue's; one word where they agree. */
const SPELLINGS: Record<string, AnswerTo<'order-status-spelling'>> = {
  'cancelled,canceled': 'by-form',
  cancelled: 'cancelled',
  canceled: 'canceled',
}

const OPEN_ORDERS = { path: '/hl/orders/top-open-orders', query: { limit: 100 } }
/** Orders of one coin: in the list of all coins, large ones may hide those on triggers. */
const openOrdersOf = (coin: string) => ({ ...OPEN_ORDERS, query: { coin, limit: 100 } })

/** Observers of the open questions about orders. */
export const PERPDEX_ORDER_OBSERVERS: Observers = {
  'order-form': byName(
    async (probe) => {
      const { address } = await someOpenPosition(probe)
      return { path: `/hl/filled-orders/${address}/latest`, query: { limit: 1 } }
    },
    { order: 'nested', oid: 'flat' },
  ),
  'order-status-spelling': async (probe: Probe) => {
    for (const address of await someTraders(probe)) {
      const path = `/hl/orders/${address}/latest`
      const words = wordsIn(await dataIn(probe, { path, query: { limit: 2_000 } }))
      const body = { type: 'historicalOrders', user: address }
      const native = wordsIn(await dataIn(probe, { method: 'POST', path: '/hl/info', body }))
      if (words.length === 0 || native.length === 0) continue
      return SPELLINGS[[...new Set([words[0], native[0]])].join()] ?? null
    }
    probe.skip('no account has cancelled an order')
  },
  'open-order-triggers': async (probe) => {
    const lists = [OPEN_ORDERS, ...(await someCoins(probe)).map((coin) => openOrdersOf(coin))]
    let rows = 0
    for (const list of lists) {
      const found = await objectsOf(probe, list)
      if (found.some(({ tif }) => tif === null)) return 'present'
      rows += found.length
    }
    return rows === 0 ? null : 'absent'
  },
  'distance-sign': async (probe) => {
    const rows = await objectsOf(probe, OPEN_ORDERS)
    if (rows.length === 0) return null
    return column(rows, 'distPct').some((one) => one < 0) ? 'signed' : 'absolute'
  },
}
