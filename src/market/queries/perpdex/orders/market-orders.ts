/**
 * Open orders of a market at an instant: those of tracked traders, which are rows, and those of the
 * crowd, which make the rest of its book.
 */

import { later, type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import { runToEnd, type Slices } from '../../../../clock/turns.ts'
import type { OrdersFacts } from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { ActiveOrderStats, TopOpenOrder } from '../../../../contract/records/order.ts'
import {
  compare,
  format,
  mulDiv,
  type Px,
  pow10,
  raw,
  type Sz,
  subtract,
  type Usd,
  ZERO,
} from '../../../../decimal/quantity.ts'
import { notionalOf } from '../../../accounting/position.ts'
import {
  bookOrdersAt,
  CROWD_LIFE_MS,
  type CrowdOrder,
  crowdOrderRow,
  mayHaveNumber,
  mayRestAt,
} from '../../../books/crowd-orders.ts'
import { bigintText, fractionText } from '../../../formatting/decimal-text.ts'
import { filledOf, ORDER_COLUMNS, type StoredOrder } from '../../../rows/order-rows.ts'
import { lastPx } from '../../../rows/trade-rows.ts'
import { tradersOf } from '../../../rows/traders.ts'
import {
  type InstrumentRow,
  LONG_LIVED_MS,
  MONEY_DECIMALS,
  pxText,
  szText,
  usdText,
} from '../../../schema/schema.ts'
import { Cache, perMarket, perWorld } from '../../../world/cache.ts'
import {
  crowdAccount,
  crowdAccountAt,
  crowdAddress,
  isOrderNumber,
  placeOf,
} from '../../../world/crowd-address.ts'
import type { World } from '../../../world/world.ts'
import { longLivedOrders, PLACED, type Placed } from './long-lived-orders.ts'

/** An open order of a tracked trader. */
interface TrackedOpenOrder {
  oid: number
  instrument: InstrumentRow
  side: 'A' | 'B'
  limitPx: Px
  isTrigger: boolean
  /** Remaining size. */
  sz: Sz
}

/** Open orders of one market. */
interface OpenOrders {
  instrument: InstrumentRow
  /** Limit orders that are a part of the book, and triggers. */
  tracked: TrackedOpenOrder[]
  crowd: CrowdOrder[]
}

/** Of one instrument, or of all for null. */
function* openOrdersAt(
  world: World,
  atMs: TapeMs,
  instrument: InstrumentRow | null,
): Slices<OpenOrders[]> {
  const tracked = yield* trackedOrdersAt(world, atMs, instrument)
  const markets: OpenOrders[] = []
  for (const of of instrument === null ? world.listed : [instrument]) {
    const own = tracked.filter((order) => order.instrument === of)
    const resting = own.filter(({ isTrigger }) => !isTrigger)
    const { tracked: inBook, crowd } = bookOrdersAt(world, of, atMs, resting)
    const triggers = own.filter(({ isTrigger }) => isTrigger)
    markets.push({ instrument: of, tracked: [...inBook, ...triggers], crowd })
    yield
  }
  return markets
}

/**
 * Long-lived orders are kept in memory; of the others only recent ones can still be open.
 * Unordered.
 */
function* trackedOrdersAt(
  world: World,
  atMs: TapeMs,
  instrument: InstrumentRow | null,
): Slices<TrackedOpenOrder[]> {
  const lasting = longLivedOrders(world).at(atMs)
  yield
  const lately = recent(world).all(later(atMs, -LONG_LIVED_MS), atMs, atMs, LONG_LIVED_MS)
  // An order without an end so far may also be found as a short-lived one.
  const known = new Set(lasting.map(({ oid }) => oid))
  const all = [...lasting, ...lately.filter(({ oid }) => !known.has(oid))]
  const found: TrackedOpenOrder[] = []
  yield
  for (const row of all) {
    if (instrument !== null && row.instrument !== instrument.id) continue
    found.push(trackedOrder(world, row, atMs))
    if (found.length % ORDERS_A_SLICE === 0) yield
  }
  return found.sort((a, b) => a.oid - b.oid)
}

/** Most need no look-up; some need their filled size. */
const ORDERS_A_SLICE = 200

function trackedOrder(world: World, row: Placed, atMs: TapeMs): TrackedOpenOrder {
  const { oid, side, limitPx, origSz, filledSz, triggerPx } = row
  const instrument = world.instruments[row.instrument] as InstrumentRow
  const done: Sz = filledSz === ZERO ? ZERO : (filledOf(world).get(oid, atMs)?.sz ?? ZERO)
  const sz = subtract(origSz, done)
  return { oid, instrument, side, limitPx, isTrigger: triggerPx !== null, sz }
}

const recent = perWorld(({ db }) =>
  PLACED.prepare<[afterMs: TapeMs, toMs: TapeMs, atMs: TapeMs, longMs: number]>(
    db,
    'from orders where timeMs > ? and timeMs <= ? and endMs > ? and endMs - timeMs <= ?',
  ),
)

/** Open orders of a crowd account, newest first. */
export function crowdOrdersOf(world: World, address: string, atMs: TapeMs): StoredOrder[] {
  const account = crowdAccountAt(address)
  if (account?.kind !== 'trading') return []
  const orders = crowdOrdersByAccount(world).get(atMs, () => byAccount(openOrders(world, atMs)))
  return (orders.get(account.number) ?? [])
    .toSorted((a, b) => b.timeMs - a.timeMs || b.oid - a.oid)
    .map(crowdOrderRow)
}

function byAccount(markets: readonly OpenOrders[]): ReadonlyMap<number, CrowdOrder[]> {
  const found = new Map<number, CrowdOrder[]>()
  for (const { crowd } of markets)
    for (const order of crowd) {
      const account = crowdAccount(order.oid)
      const known = found.get(account)
      if (known) known.push(order)
      else found.set(account, [order])
    }
  return found
}

/** Those of few instants, as of `latestOrders`. */
const crowdOrdersByAccount = perMarket(
  () => new Cache<number, ReadonlyMap<number, readonly CrowdOrder[]>>(2),
)

/**
 * The order of the crowd with a number, open or cancelled by then; null for none. An order ends
 * when its level has no place for it any more.
 */
export function crowdOrderBy(world: World, oid: number, atMs: TapeMs): StoredOrder | null {
  if (!isOrderNumber(oid)) return null
  const placedMs = later(world.meta.historyStartMs, placeOf(oid).ms)
  if (placedMs > atMs) return null
  for (const of of world.listed.filter((one) => mayHaveNumber(one, oid))) {
    const present = placedMs > atMs - CROWD_LIFE_MS ? restingAt(world, of, oid, atMs) : null
    const found = present ?? endedBy(world, of, oid, placedMs, atMs)
    if (found) return found
  }
  return null
}

/** The order as it rests in the book of an instant. */
function restingAt(world: World, of: InstrumentRow, oid: number, atMs: TapeMs): StoredOrder | null {
  if (!mayRestAt(world, of, atMs, oid)) return null
  const [market] = runToEnd(openOrdersAt(world, atMs, of))
  const found = market?.crowd.find((order) => order.oid === oid)
  return found ? crowdOrderRow(found) : null
}

/** The order with its end, found at instants of its life that are farther and farther apart. */
function endedBy(
  world: World,
  of: InstrumentRow,
  oid: number,
  placedMs: TapeMs,
  atMs: TapeMs,
): StoredOrder | null {
  let [last, goneMs]: [StoredOrder | null, TapeMs] = [null, placedMs]
  let seenMs = placedMs
  for (let ageMs = 0; ageMs <= 2 * CROWD_LIFE_MS; ageMs = Math.max(SECOND_MS, 2 * ageMs)) {
    goneMs = tapeMs(Math.min(atMs, placedMs + ageMs))
    const found = restingAt(world, of, oid, goneMs)
    if (last && !found) break
    if (found) [last, seenMs] = [found, goneMs]
    if (goneMs === atMs) break
  }
  if (last === null) return null
  while (goneMs - seenMs > SECOND_MS) {
    const middleMs = tapeMs(Math.floor((seenMs + goneMs) / 2))
    if (restingAt(world, of, oid, middleMs)) seenMs = middleMs
    else goneMs = middleMs
  }
  return { ...last, endMs: goneMs, endStatus: 'canceled' }
}

const SECOND_MS = 1_000

const openOrders = (world: World, atMs: TapeMs): readonly OpenOrders[] =>
  latestOrders(world).get(atMs, () => runToEnd(openOrdersAt(world, atMs, null)))

/** Those of few instants: clients put several questions at one. */
const latestOrders = perMarket(() => new Cache<number, readonly OpenOrders[]>(2))

/** An order that counts, and its value. */
interface Counted {
  order: TrackedOpenOrder | CrowdOrder
  of: InstrumentRow
  /** limitPx x sz. */
  value: Usd
}

/** The largest open orders of the market, by value, largest first. */
export function* largestOpen(
  world: World,
  moment: Moment,
  { coin, minUsd, limit }: Parameters<OrdersFacts['largestOpen']>[0],
): Slices<TopOpenOrder[]> {
  const least = microsFromText(minUsd)
  const counted = yield* countedOrders(world, moment, coin)
  return counted
    .filter(({ value }) => BigInt(raw(value)) >= least)
    .sort((a, b) => compare(b.value, a.value) || a.order.oid - b.order.oid)
    .slice(0, limit)
    .map((order) => openOrderRecord(world, moment, order))
}

/** Counts and values of open orders by side; whales separately. */
export function* activeStats(
  world: World,
  moment: Moment,
  { coin, whaleUsd }: Parameters<OrdersFacts['activeStats']>[0],
): Slices<ActiveOrderStats> {
  const least = microsFromText(whaleUsd)
  const orders = yield* countedOrders(world, moment, coin)
  const all = sideSums(orders)
  yield
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

/** Open orders that count by the question `open-order-triggers`. */
function* countedOrders(
  world: World,
  { atMs, answers }: Moment,
  coin: string | undefined,
): Slices<Counted[]> {
  const instrument = coin === undefined ? null : world.byCoin.get(coin)
  if (instrument === undefined) return []
  const isAll = answers['open-order-triggers'] === 'present'
  const counted: Counted[] = []
  for (const { instrument: of, tracked, crowd } of yield* openOrdersAt(world, atMs, instrument)) {
    const own = isAll ? tracked : tracked.filter(({ isTrigger }) => !isTrigger)
    for (const order of [...own, ...crowd])
      counted.push({ order, of, value: notionalOf(order.limitPx, order.sz, of) })
    yield
  }
  return counted
}

function sideSums(orders: readonly Counted[]) {
  const sides = { A: { count: 0, value: 0n }, B: { count: 0, value: 0n } }
  for (const { order, value } of orders) {
    sides[order.side].count++
    sides[order.side].value += BigInt(raw(value))
  }
  return sides
}

const usd = (micros: bigint) => bigintText(micros, MONEY_DECIMALS)

function openOrderRecord(
  world: World,
  moment: Moment,
  { order, of, value }: Counted,
): TopOpenOrder {
  const row =
    'timeMs' in order ? crowdOrderRow(order) : (orderById(world).get(order.oid) as StoredOrder)
  return {
    time: row.timeMs,
    address: 'timeMs' in order ? crowdAddress(order.oid) : tradersOf(world).address(row.trader),
    oid: order.oid,
    coin: of.coin,
    side: row.side,
    sz: szText(of, order.sz),
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

/** Decimal dollars, however large, in micro-dollars; further digits are cut. */
function microsFromText(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.slice(0, MONEY_DECIMALS).padEnd(MONEY_DECIMALS, '0'))
}

const orderById = perWorld(({ db }) =>
  ORDER_COLUMNS.prepare<[oid: number]>(db, 'from orders o where o.oid = ?'),
)
