/** Balances of spot accounts: dollars, and tokens as their pairs count them. */

import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { TapeMs } from '../../clock/instant.ts'
import { add, raw, type Sz, type Usd, ZERO } from '../../decimal/quantity.ts'
import { rescale } from '../../decimal/scaled.ts'
import { notionalOf } from '../accounting/position.ts'
import { fill, type InstrumentRow, MONEY_DECIMALS, orders } from '../schema/schema.ts'
import { Cache } from '../world/cache.ts'
import { perWorld } from '../world/per-world.ts'
import type { World } from '../world/world.ts'
import { columns, present } from './columns.ts'
import { traderHistories } from './trader-histories.ts'
import { accountOn, type HoldingHistory } from './trader-history.ts'
import { type Trader, tradersOf } from './traders.ts'
import { NO_STEPS } from './value-steps.ts'

/** What is held of one token. */
export interface SpotTotal {
  coin: string
  /** Number of the token; 0 is USDC. */
  token: number
  /** Of `total` and `hold`. */
  decimals: number
  total: number
  /** What was paid for it, micro-dollars; 0 for USDC. */
  cost: Usd
  /** A pair that trades it; null for USDC. */
  instrument: InstrumentRow | null
}

export interface SpotBalance extends SpotTotal {
  /** What open orders hold of it, never more than there is. */
  hold: number
}

/** By number of the token; USDC comes first, also when there is none. Empty without an account. */
export function spotBalances(world: World, address: string, atMs: TapeMs): readonly SpotBalance[] {
  const trader = tradersOf(world).find(address)
  if (!trader) return []
  const cached = balanceCache(world)
  const known = cached.find(trader.id)
  if (known && known.fromMs <= atMs && atMs < known.untilMs) return known.balances
  const balances = readBalances(world, trader, atMs)
  cached.put(trader.id, { fromMs: atMs, untilMs: nextChangeMs(world, trader.id, atMs), balances })
  return balances
}

/** Balances, and from when until before when they are so. */
interface BalanceSpan {
  fromMs: TapeMs
  untilMs: number
  balances: readonly SpotBalance[]
}

/** Traders whose balances are cached, as they were asked for last. */
const CACHE_LIMIT = 20_000
const balanceCache = perWorld(() => new Cache<number, BalanceSpan>(CACHE_LIMIT))

/** When something may change them: the next movement of money, or order placed or ended. */
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
    return { ...one, hold: Math.min(one.total, held) }
  })
}

/** The same without what orders hold, which takes far less time. */
export function spotTotals(world: World, trader: number, atMs: TapeMs): SpotTotal[] {
  const history = traderHistories(world).of(trader)
  const cash = accountOn(history, 'spot')?.cash.at(atMs) ?? null
  if (cash === null) return []
  const usdc = {
    coin: 'USDC',
    token: 0,
    decimals: MONEY_DECIMALS,
    cost: ZERO as Usd,
    instrument: null,
  }
  const tokens = history.holdings.flatMap((one) => tokenTotal(one, atMs) ?? [])
  return [{ ...usdc, total: cash }, ...mergeTotals(tokens)]
}

interface OrderHolds {
  usd: Usd
  /** By instrument. */
  sizes: Map<number, Sz>
}

/** What resting orders would take when filled at their limits. */
function orderHolds(world: World, trader: number, atMs: TapeMs): OrderHolds {
  const holds: OrderHolds = { usd: ZERO, sizes: new Map() }
  const { open } = statements(world)
  for (const row of open.all(atMs, trader, atMs, atMs, atMs, trader, atMs)) {
    const { instrument, side, limitPx, left } = row
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

/** Balances of pairs with the same base token are one. */
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
