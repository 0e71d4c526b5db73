/** Balances of spot accounts: dollars, and tokens as their pairs count them. */

import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { TapeMs } from '../../clock/instant.ts'
import type { Moment } from '../../contract/facts.ts'
import { add, raw, rescale, type Sz, type Usd, ZERO } from '../../decimal/quantity.ts'
import { notionalOf } from '../accounting/position.ts'
import { fill, type InstrumentRow, MONEY_DECIMALS, orders } from '../schema/schema.ts'
import { Cache, perWorld } from '../world/cache.ts'
import type { World } from '../world/world.ts'
import { AccountStateReader, accountSummaryOf } from './account-state.ts'
import { columns, present } from './columns.ts'
import { NO_STEPS } from './open-interest.ts'
import type { StoredOrder } from './order-rows.ts'
import { accountOn, type HoldingHistory, traderHistories } from './trader-histories.ts'
import { type Trader, tradersOf } from './traders.ts'

/** Holding of one token. */
export interface SpotTotal {
  coin: string
  /** Number of the token; 0 is USDC. */
  token: number
  /** Of `total` and `hold`. */
  decimals: number
  total: number
  /** Cost of it, micro-dollars; 0 for USDC. */
  cost: Usd
  /** A pair that trades it; null for USDC. */
  instrument: InstrumentRow | null
}

export interface SpotBalance extends SpotTotal {
  /** Part held by open orders, never more than the total. */
  hold: number
}

/** By number of the token; USDC comes first, even at 0. Empty without an account. */
function spotBalances(world: World, address: string, atMs: TapeMs): readonly SpotBalance[] {
  const trader = tradersOf(world).find(address)
  if (!trader) return []
  const cached = balanceCache(world)
  const known = cached.find(trader.id)
  if (known && known.fromMs <= atMs && atMs < known.untilMs) return known.balances
  const balances = readBalances(world, trader, atMs)
  cached.put(trader.id, { fromMs: atMs, untilMs: nextChangeMs(world, trader.id, atMs), balances })
  return balances
}

/** A resting order that is no row of the world. */
type RestingOrder = Pick<StoredOrder, 'instrument' | 'side' | 'limitPx' | 'origSz'>

/**
 * Balances as they are shown: on unified margin the dollars are those of the main dex too, of which
 * its margin is held.
 *
 * @param resting open orders of the account that are no rows, read where there is a balance to hold
 */
export function shownBalances(
  world: World,
  address: string,
  moment: Moment,
  resting: () => readonly RestingOrder[],
): readonly SpotBalance[] {
  const balances = heldBy(world, spotBalances(world, address, moment.atMs), resting)
  const trader = tradersOf(world).find(address)
  if (!trader || !isUnified(trader, moment)) return balances
  const main = accountOn(traderHistories(world).of(trader.id), '')
  const state = new AccountStateReader(world, moment).readTrader(trader.id, '')
  // Before its first deposit an account is like one that is not known.
  if (!state || main?.cash.at(moment.atMs) == null) return balances
  const { all } = accountSummaryOf(state)
  const [usdc = NO_DOLLARS, ...tokens] = balances
  const total = usdc.total + raw(all.accountValue)
  const hold = Math.max(0, Math.min(total, usdc.hold + raw(all.totalMarginUsed)))
  return [{ ...usdc, total, hold }, ...tokens]
}

/** Whether perpetuals and spot of a trader share one margin; an answer decides it for all. */
export function isUnified({ mode }: Pick<Trader, 'mode'>, { answers }: Pick<Moment, 'answers'>) {
  const answer = answers['account-mode']
  return (answer === 'by-account' ? mode : answer) === 'unified'
}

/** Balances, and their span of validity. */
interface BalanceSpan {
  fromMs: TapeMs
  untilMs: number
  balances: readonly SpotBalance[]
}

/** Cached traders of balances, most recently used. */
const CACHE_LIMIT = 20_000
const balanceCache = perWorld(() => new Cache<number, BalanceSpan>(CACHE_LIMIT))

/** Time of the next possible change: a money movement, or an order's placement or end. */
function nextChangeMs(world: World, trader: number, atMs: TapeMs): number {
  const { placed, ended } = statements(world)
  const cash = accountOn(traderHistories(world).of(trader), 'spot')?.cash ?? NO_STEPS
  const orders = [placed.get(trader, atMs), ended.get(trader, atMs)]
  return Math.min(
    world.endMs + 1,
    cash.timeMs(cash.lastUpTo(atMs) + 1),
    ...orders.map((row) => row?.timeMs ?? Number.POSITIVE_INFINITY),
  )
}

function readBalances(world: World, trader: Trader, atMs: TapeMs): SpotBalance[] {
  const holds = orderHolds(world, trader.id, atMs)
  return spotTotals(world, trader.id, atMs).map((one) => {
    const held = one.instrument ? heldByOrders(world, one, holds) : raw(holds.usd)
    return { ...one, hold: Math.max(0, Math.min(one.total, held)) }
  })
}

/** The same without holds of orders, which is far faster. */
export function spotTotals(world: World, trader: number, atMs: TapeMs): SpotTotal[] {
  const history = traderHistories(world).of(trader)
  const cash = accountOn(history, 'spot')?.cash.at(atMs) ?? null
  if (cash === null) return []
  const tokens = history.holdings.flatMap((one) => tokenTotal(one, atMs) ?? [])
  return [{ ...USDC, total: cash }, ...mergeTotals(tokens)]
}

const USDC = {
  coin: 'USDC',
  token: 0,
  decimals: MONEY_DECIMALS,
  cost: ZERO as Usd,
  instrument: null,
}
const NO_DOLLARS: SpotBalance = { ...USDC, total: 0, hold: 0 }

interface OrderHolds {
  usd: Usd
  /** By instrument. */
  sizes: Map<number, Sz>
}

/** Balances of which further orders hold a part too. */
function heldBy(
  world: World,
  balances: readonly SpotBalance[],
  resting: () => readonly RestingOrder[],
): readonly SpotBalance[] {
  if (!balances.some(({ total }) => total > 0)) return balances
  const orders = resting().map(({ origSz, ...order }) => ({ ...order, left: origSz }))
  const spot = new Set(spotPairs(world).map(({ id }) => id))
  const holds = holdsOf(
    world,
    orders.filter(({ instrument }) => spot.has(instrument)),
  )
  return balances.map((one) => {
    const held = one.instrument ? heldByOrders(world, one, holds) : raw(holds.usd)
    return { ...one, hold: Math.max(0, Math.min(one.total, one.hold + held)) }
  })
}

function orderHolds(world: World, trader: number, atMs: TapeMs): OrderHolds {
  return holdsOf(world, statements(world).open.all(atMs, trader, atMs, atMs, atMs, trader, atMs))
}

type OpenOrder = Pick<StoredOrder, 'instrument' | 'side' | 'limitPx'> & { left: Sz }

/** Amounts that resting orders would take when filled at their limits. */
function holdsOf(world: World, orders: readonly OpenOrder[]): OrderHolds {
  const holds: OrderHolds = { usd: ZERO, sizes: new Map() }
  for (const { instrument, side, limitPx, left } of orders) {
    const of = world.instruments[instrument] as InstrumentRow
    if (side === 'B') holds.usd = add(holds.usd, notionalOf(limitPx, left, of))
    else holds.sizes.set(instrument, add(holds.sizes.get(instrument) ?? ZERO, left))
  }
  return holds
}

/** Over all pairs that trade the token. */
function heldByOrders(world: World, { token, decimals }: SpotTotal, { sizes }: OrderHolds): number {
  let held = 0
  for (const of of spotPairs(world))
    if (of.baseToken === token)
      held += rescale(raw(sizes.get(of.id) ?? ZERO), of.szDecimals, decimals)
  return held
}

function tokenTotal(history: HoldingHistory, atMs: TapeMs): SpotTotal | null {
  const { instrument } = history
  if (instrument.kind !== 'spot') return null
  const row = history.lastUpTo(atMs)
  const total = raw(history.sz(row))
  if (total === 0) return null
  return {
    coin: instrument.base,
    token: instrument.baseToken ?? 0,
    decimals: instrument.szDecimals,
    total,
    cost: history.cost(row),
    instrument,
  }
}

/** Merges balances of pairs with the same base token. */
function mergeTotals(totals: readonly SpotTotal[]): SpotTotal[] {
  const byToken = new Map<number, SpotTotal>()
  for (const one of totals) {
    const before = byToken.get(one.token)
    byToken.set(one.token, before ? addTotals(before, one) : one)
  }
  return [...byToken.values()].sort((a, b) => a.token - b.token)
}

function addTotals(a: SpotTotal, b: SpotTotal): SpotTotal {
  const decimals = Math.max(a.decimals, b.decimals)
  const total = rescale(a.total, a.decimals, decimals) + rescale(b.total, b.decimals, decimals)
  return { ...a, decimals, total, cost: add(a.cost, b.cost) }
}

const spotPairs = perWorld(({ instruments }) => instruments.filter(({ kind }) => kind === 'spot'))

const [o, f] = [alias(orders, 'o'), alias(fill, 'f')]
const OPEN = columns({
  instrument: o.instrument,
  side: o.side,
  limitPx: o.limitPx,
  left: sql<Sz>`${o.origSz} -
    (select coalesce(sum(${f.sz}), 0) from fill f where ${f.oid} = ${o.oid} and ${f.timeMs} <= ?)`,
})
type After = [trader: number, atMs: TapeMs]
type OfTrader = [filledMs: TapeMs, trader: number, placedMs: TapeMs]

const statements = perWorld(({ db }) => {
  const open = `from orders o join instrument i on i.id = o.instrument
    where o.trader = ? and i.kind = 'spot' and o.triggerPx is null and o.timeMs <= ?`
  return {
    placed: columns({ timeMs: orders.timeMs }).prepare<After>(
      db,
      'from orders where trader = ? and timeMs > ? order by timeMs limit 1',
    ),
    ended: columns({ timeMs: present(orders.endMs) }).prepare<After>(
      db,
      'from orders where trader = ? and endMs > ? order by endMs limit 1',
    ),
    open: OPEN.prepare<[...OfTrader, endMs: TapeMs, ...OfTrader]>(
      db,
      `${open} and o.endMs > ? union all select ${OPEN.list} ${open} and o.endMs is null`,
    ),
  }
})
