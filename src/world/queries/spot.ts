/** Balances of spot accounts: dollars, and tokens as their pairs count them. */
import { rescale } from '../../decimal/scaled.ts'
import { notionalOf } from '../accounting/position.ts'
import { type InstrumentRow, MONEY_DECIMALS } from '../schema.ts'
import type { World } from '../world.ts'
import { perWorld } from './per-world.ts'
import { rowsAt } from './purse.ts'
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
  cost: number
  /** A pair that trades it; null for USDC. */
  instrument: InstrumentRow | null
}

export interface SpotBalance extends SpotTotal {
  /** What open orders hold of it, never more than there is. */
  hold: number
}

/** By number of the token; USDC comes first, also when there is none. Empty without an account. */
export function spotBalances(world: World, address: string, atMs: number): SpotBalance[] {
  const trader = tradersOf(world).find(address)
  if (!trader) return []
  const holds = holdsOf(world, trader.id, atMs)
  return spotTotals(world, trader.id, atMs).map((one) => {
    const held = one.instrument ? heldOf(world, one, holds) : holds.usd
    return { ...one, hold: Math.min(one.total, held) }
  })
}

/** The same without what orders hold, which takes far less time. */
export function spotTotals(world: World, trader: number, atMs: number): SpotTotal[] {
  const account = tradersOf(world).accountOf(trader, 'spot')
  if (account === undefined || !hasBegun(world, account, atMs)) return []
  const usdc = { coin: 'USDC', token: 0, decimals: MONEY_DECIMALS, cost: 0, instrument: null }
  const tokens = pairsOf(world).flatMap((of) => tokenOf(world, trader, of, atMs) ?? [])
  return [{ ...usdc, total: rowsAt(world, atMs).cash(account) }, ...merged(tokens)]
}

interface Holds {
  usd: number
  /** Size units by instrument. */
  sizes: Map<number, number>
}

/** What resting orders would take when filled at their limits. */
function holdsOf(world: World, trader: number, atMs: number): Holds {
  const holds: Holds = { usd: 0, sizes: new Map() }
  const { open } = statements(world)
  for (const row of open.values(atMs, trader, atMs, atMs, atMs, trader, atMs) as OpenValues[]) {
    const [instrument, side, limitPx, left] = row
    const of = world.instruments[instrument] as InstrumentRow
    if (side === 'B') holds.usd += notionalOf(limitPx, left, of, MONEY_DECIMALS)
    else holds.sizes.set(instrument, (holds.sizes.get(instrument) ?? 0) + left)
  }
  return holds
}

/** Over all pairs that trade the token. */
function heldOf(world: World, { token, decimals }: SpotTotal, { sizes }: Holds): number {
  let held = 0
  for (const of of pairsOf(world))
    if (of.baseToken === token) held += rescale(sizes.get(of.id) ?? 0, of.szDecimals, decimals)
  return held
}

function tokenOf(world: World, trader: number, of: InstrumentRow, atMs: number): SpotTotal | null {
  const { byFill, byLedger } = statements(world)
  const rows = [byFill, byLedger].flatMap(
    (one) => one.values(trader, of.id, atMs) as [number, number, number, number][],
  )
  const [last] = rows.sort((a, b) => b[0] - a[0] || b[1] - a[1])
  if (!last || last[2] === 0) return null
  return {
    coin: of.base,
    token: of.baseToken ?? 0,
    decimals: of.szDecimals,
    total: last[2],
    cost: last[3],
    instrument: of,
  }
}

/** Balances of pairs with the same base token are one. */
function merged(totals: readonly SpotTotal[]): SpotTotal[] {
  const byToken = new Map<number, SpotTotal>()
  for (const one of totals) {
    const before = byToken.get(one.token)
    byToken.set(one.token, before ? both(before, one) : one)
  }
  return [...byToken.values()].sort((a, b) => a.token - b.token)
}

function both(a: SpotTotal, b: SpotTotal): SpotTotal {
  const decimals = Math.max(a.decimals, b.decimals)
  const total = rescale(a.total, a.decimals, decimals) + rescale(b.total, b.decimals, decimals)
  return { ...a, decimals, total, cost: a.cost + b.cost }
}

/** Whether anything has happened to an account by then. */
function hasBegun(world: World, account: number, atMs: number): boolean {
  return (statements(world).begun.values(account, atMs, account, atMs)[0]?.[0] as number) === 1
}

const pairsOf = perWorld(({ instruments }) => instruments.filter(({ kind }) => kind === 'spot'))

type OpenValues = [instrument: number, side: 'A' | 'B', limitPx: number, left: number]

const statements = perWorld(({ db }) => {
  const newest = 'timeMs <= ? order by timeMs desc, id desc limit 1'
  const left = `select o.instrument, o.side, o.limitPx, o.origSz -
    (select coalesce(sum(f.sz), 0) from fill f where f.oid = o.oid and f.timeMs <= ?)
    from orders o join instrument i on i.id = o.instrument
    where o.trader = ? and i.kind = 'spot' and o.triggerPx is null and o.timeMs <= ?`
  return {
    open: db.prepare(`${left} and o.endMs > ? union all ${left} and o.endMs is null`),
    byFill: db.prepare(
      `select timeMs, id, positionAfter, costAfter from fill
       where trader = ? and instrument = ? and ${newest}`,
    ),
    byLedger: db.prepare(
      `select timeMs, id, positionAfter, costAfter from ledger
       where trader = ? and instrument = ? and ${newest}`,
    ),
    begun: db.prepare(
      `select exists (select 1 from fill where account = ? and timeMs <= ?)
       or exists (select 1 from ledger where account = ? and timeMs <= ?)`,
    ),
  }
})
