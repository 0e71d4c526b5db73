/** The largest open orders of the market, and what all of them amount to. */
import type { Facts, Moment } from '../../../contract/facts.ts'
import type { ActiveOrderStats, TopOpenOrder } from '../../../contract/records/standing-order.ts'
import { compare, type Px, raw, subtract, ZERO } from '../../../decimal/quantity.ts'
import { format, power, share } from '../../../decimal/scaled.ts'
import { MONEY_DECIMALS, pxText, szText, usdText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { fractionText } from '../fraction.ts'
import { lastPx } from '../market.ts'
import { ORDER_COLUMNS, type StoredOrder } from '../order-rows.ts'
import { perWorld } from '../per-world.ts'
import { tradersOf } from '../traders.ts'
import { wideText } from '../wording.ts'
import { type Standing, standingAt } from './standing.ts'

type Asked = Facts['orders']

/** By value, largest first. */
export function largestOpen(
  world: World,
  moment: Moment,
  { coin, minUsd, limit }: Parameters<Asked['largestOpen']>[0],
): TopOpenOrder[] {
  const least = microsOf(minUsd)
  return shownAt(world, moment, coin)
    .filter(({ value }) => BigInt(raw(value)) >= least)
    .sort((a, b) => compare(b.value, a.value) || a.oid - b.oid)
    .slice(0, limit)
    .map((order) => written(world, moment, order))
}

/** Counts and values by side; those of whales apart. */
export function activeStats(
  world: World,
  moment: Moment,
  { coin, whaleUsd }: Parameters<Asked['activeStats']>[0],
): ActiveOrderStats {
  const least = microsOf(whaleUsd)
  const orders = shownAt(world, moment, coin)
  const all = sidesOf(orders)
  const whales = sidesOf(orders.filter(({ value }) => BigInt(raw(value)) >= least))
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
function shownAt(world: World, { atMs, answers }: Moment, coin: string | undefined): Standing[] {
  const instrument = coin === undefined ? null : world.byCoin.get(coin)
  if (instrument === undefined) return []
  const standing = standingAt(world, atMs, instrument)
  const isAll = answers['open-order-triggers'] === 'present'
  return isAll ? standing : standing.filter(({ isTrigger }) => !isTrigger)
}

function sidesOf(orders: readonly Standing[]) {
  const sides = { A: { count: 0, value: 0n }, B: { count: 0, value: 0n } }
  for (const { side, value } of orders) {
    sides[side].count++
    sides[side].value += BigInt(raw(value))
  }
  return sides
}

const usd = (micros: bigint) => wideText(micros, MONEY_DECIMALS)

function written(world: World, moment: Moment, order: Standing): TopOpenOrder {
  const { instrument: of, oid, sz, value } = order
  const row = byId(world).get(oid) as StoredOrder
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
    distPct: distance(row.limitPx, lastPx(world, of, moment.atMs), moment),
  }
}

/** Decimals of a distance in percent. */
const DISTANCE_DECIMALS = 4

function distance(px: Px, last: Px | null, { answers }: Moment): string | null {
  if (last === null || last === ZERO) return null
  const percent = share(raw(subtract(px, last)), power(2 + DISTANCE_DECIMALS), raw(last))
  const isSigned = answers['distance-sign'] === 'signed'
  return format(isSigned ? percent : Math.abs(percent), DISTANCE_DECIMALS)
}

/** A decimal of dollars, however large, in micro-dollars; further digits are cut. */
function microsOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.slice(0, MONEY_DECIMALS).padEnd(MONEY_DECIMALS, '0'))
}

const byId = perWorld(({ db }) =>
  ORDER_COLUMNS.prepare<[oid: number]>(db, 'from orders o where o.oid = ?'),
)
