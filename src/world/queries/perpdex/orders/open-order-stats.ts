/** The largest open orders of the market, and what all of them amount to. */
import type { Slices } from '../../../../clock/turns.ts'
import type { OrdersFacts } from '../../../../contract/facts/perpdex/orders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { ActiveOrderStats, TopOpenOrder } from '../../../../contract/records/active-order.ts'
import { compare, type Px, raw, subtract, ZERO } from '../../../../decimal/quantity.ts'
import { format, mulDiv, pow10 } from '../../../../decimal/scaled.ts'
import { bigintText } from '../../../formatting/decimal-text.ts'
import { fractionText } from '../../../formatting/fraction.ts'
import { perWorld } from '../../../per-world.ts'
import { ORDER_COLUMNS, type StoredOrder } from '../../../rows/order-rows.ts'
import { lastPx } from '../../../rows/trade-rows.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { MONEY_DECIMALS, pxText, szText, usdText } from '../../../schema.ts'
import type { World } from '../../../world.ts'
import { type MarketOpenOrder, openOrdersAt } from './market-open-orders.ts'

/** By value, largest first. */
export function* largestOpen(
  world: World,
  moment: Moment,
  { coin, minUsd, limit }: Parameters<OrdersFacts['largestOpen']>[0],
): Slices<TopOpenOrder[]> {
  const least = microsFromText(minUsd)
  const counted = yield* countedOrders(world, moment, coin)
  return counted
    .filter(({ value }) => BigInt(raw(value)) >= least)
    .sort((a, b) => compare(b.value, a.value) || a.oid - b.oid)
    .slice(0, limit)
    .map((order) => openOrderRecord(world, moment, order))
}

/** Counts and values by side; those of whales apart. */
export function* activeStats(
  world: World,
  moment: Moment,
  { coin, whaleUsd }: Parameters<OrdersFacts['activeStats']>[0],
): Slices<ActiveOrderStats> {
  const least = microsFromText(whaleUsd)
  const orders = yield* countedOrders(world, moment, coin)
  const all = sideSums(orders)
  const whales = sideSums(orders.filter(({ value }) => BigInt(raw(value)) >= least))
  return {
    totalCount: orders.length,
    bidCount: all.B.count,
    askCount: all.A.count,
    bidValue: usd(all.B.value),
    askValue: usd(all.A.value),
    bidValueRatio: fractionText(all.B.value, all.A.value + all.B.value),
    whaleBidCount: whales.B.count,
    whaleAskCount: whales.A.count,
    whaleBidValue: usd(whales.B.value),
    whaleAskValue: usd(whales.A.value),
    whaleBidValueRatio: fractionText(whales.B.value, whales.A.value + whales.B.value),
  }
}

/** Open orders that count, as the question `open-order-triggers` says. */
function* countedOrders(
  world: World,
  { atMs, answers }: Moment,
  coin: string | undefined,
): Slices<MarketOpenOrder[]> {
  const instrument = coin === undefined ? null : world.byCoin.get(coin)
  if (instrument === undefined) return []
  const open = yield* openOrdersAt(world, atMs, instrument)
  const isAll = answers['open-order-triggers'] === 'present'
  return isAll ? open : open.filter(({ isTrigger }) => !isTrigger)
}

function sideSums(orders: readonly MarketOpenOrder[]) {
  const sides = { A: { count: 0, value: 0n }, B: { count: 0, value: 0n } }
  for (const { side, value } of orders) {
    sides[side].count++
    sides[side].value += BigInt(raw(value))
  }
  return sides
}

const usd = (micros: bigint) => bigintText(micros, MONEY_DECIMALS)

function openOrderRecord(world: World, moment: Moment, order: MarketOpenOrder): TopOpenOrder {
  const { instrument: of, oid, sz, value } = order
  const row = orderById(world).get(oid) as StoredOrder
  return {
    time: row.timeMs,
    address: tradersOf(world).address(row.trader),
    oid,
    coin: of.coin,
    side: row.side,
    sz: szText(of, sz),
    origSz: szText(of, row.origSz),
    limitPx: pxText(of, row.limitPx),
    val: usdText(value),
    reduceOnly: row.reduceOnly,
    tif: row.tif,
    distPct: distanceText(row.limitPx, lastPx(world, of, moment.atMs), moment),
  }
}

/** Decimals of a distance in percent. */
const DISTANCE_DECIMALS = 4

function distanceText(px: Px, last: Px | null, { answers }: Moment): string | null {
  if (last === null || last === ZERO) return null
  const percent = mulDiv(raw(subtract(px, last)), pow10(2 + DISTANCE_DECIMALS), raw(last))
  const isSigned = answers['distance-sign'] === 'signed'
  return format(isSigned ? percent : Math.abs(percent), DISTANCE_DECIMALS)
}

/** A decimal of dollars, however large, in micro-dollars; further digits are cut. */
function microsFromText(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.slice(0, MONEY_DECIMALS).padEnd(MONEY_DECIMALS, '0'))
}

const orderById = perWorld(({ db }) =>
  ORDER_COLUMNS.prepare<[oid: number]>(db, 'from orders o where o.oid = ?'),
)
