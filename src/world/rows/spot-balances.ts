/** Balances of spot accounts: dollars, and tokens as their pairs count them. */

import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { TapeMs } from '../../clock/instant.ts'
import { add, raw, type Sz, type Usd, ZERO } from '../../decimal/quantity.ts'
import { rescale } from '../../decimal/scaled.ts'
import { notionalOf } from '../accounting/position.ts'
import { perWorld } from '../per-world.ts'
import { fill, type InstrumentRow, ledger, MONEY_DECIMALS, orders } from '../schema.ts'
import type { World } from '../world.ts'
import { accountRowsAt } from './account-state.ts'
import { columns, present } from './columns.ts'
import { tradersOf } from './traders.ts'

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
export function spotBalances(world: World, address: string, atMs: TapeMs): SpotBalance[] {
  const trader = tradersOf(world).find(address)
  if (!trader) return []
  const holds = orderHolds(world, trader.id, atMs)
  return spotTotals(world, trader.id, atMs).map((one) => {
    const held = one.instrument ? heldByOrders(world, one, holds) : raw(holds.usd)
    return { ...one, hold: Math.min(one.total, held) }
  })
}

/** The same without what orders hold, which takes far less time. */
export function spotTotals(world: World, trader: number, atMs: TapeMs): SpotTotal[] {
  const account = tradersOf(world).accountOf(trader, 'spot')
  if (account === undefined || !hasActivity(world, account, atMs)) return []
  const usdc = {
    coin: 'USDC',
    token: 0,
    decimals: MONEY_DECIMALS,
    cost: ZERO as Usd,
    instrument: null,
  }
  const tokens = spotPairs(world).flatMap((of) => tokenTotal(world, trader, of, atMs) ?? [])
  return [{ ...usdc, total: raw(accountRowsAt(world, atMs).cash(account)) }, ...mergeTotals(tokens)]
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

function tokenTotal(
  world: World,
  trader: number,
  of: InstrumentRow,
  atMs: TapeMs,
): SpotTotal | null {
  const { byFill, byLedger } = statements(world)
  const rows = [byFill, byLedger].flatMap((one) => one.all(trader, of.id, atMs))
  const [last] = rows.sort((a, b) => b.timeMs - a.timeMs || b.id - a.id)
  if (!last || last.total === ZERO) return null
  return {
    coin: of.base,
    token: of.baseToken ?? 0,
    decimals: of.szDecimals,
    total: raw(last.total),
    cost: last.cost,
    instrument: of,
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

/** Whether anything has happened to an account by then. */
function hasActivity(world: World, account: number, atMs: TapeMs): boolean {
  return statements(world).anyActivity.get(account, atMs, account, atMs)?.any === 1
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
const BY_FILL = columns({
  timeMs: fill.timeMs,
  id: fill.id,
  total: fill.positionAfter,
  cost: fill.costAfter,
})
const BY_LEDGER = columns({
  timeMs: ledger.timeMs,
  id: ledger.id,
  total: present(ledger.positionAfter),
  cost: present(ledger.costAfter),
})
type OfTrader = [filledMs: TapeMs, trader: number, placedMs: TapeMs]

const statements = perWorld(({ db }) => {
  const newest = 'timeMs <= ? order by timeMs desc, id desc limit 1'
  const open = `from orders o join instrument i on i.id = o.instrument
    where o.trader = ? and i.kind = 'spot' and o.triggerPx is null and o.timeMs <= ?`
  type At = [trader: number, instrument: number, atMs: TapeMs]
  return {
    open: OPEN.prepare<[...OfTrader, endMs: TapeMs, ...OfTrader]>(
      db,
      `${open} and o.endMs > ? union all select ${OPEN.list} ${open} and o.endMs is null`,
    ),
    byFill: BY_FILL.prepare<At>(db, `from fill where trader = ? and instrument = ? and ${newest}`),
    byLedger: BY_LEDGER.prepare<At>(
      db,
      `from ledger where trader = ? and instrument = ? and ${newest}`,
    ),
    anyActivity: columns({
      any: sql<0 | 1>`exists (select 1 from fill where account = ? and timeMs <= ?)
        or exists (select 1 from ledger where account = ? and timeMs <= ?)`,
    }).prepare<[account: number, atMs: TapeMs, same: number, again: TapeMs]>(db, ''),
  }
})
