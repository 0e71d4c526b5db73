/** What a trader's accounts are worth at an instant, and what was deposited into them by then. */

import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { TapeMs } from '../../clock/instant.ts'
import { add, type Px, raw, sign, times, type Usd, usd, ZERO } from '../../decimal/quantity.ts'
import { multiply, parse, pow10 } from '../../decimal/scaled.ts'
import { Cache } from '../cache.ts'
import { perWorld } from '../per-world.ts'
import { account, ledger, MONEY_DECIMALS } from '../schema.ts'
import type { World } from '../world.ts'
import { AccountStateReader, markPx } from './account-state.ts'
import { accountSummaryOf } from './account-summary.ts'
import { columns, type RowOf } from './columns.ts'
import { chargeDelayMs, type Place } from './funding-charges.ts'
import { spotTotals } from './spot-balances.ts'
import type { Trader } from './traders.ts'

/** Micro-dollars. PnL of a span is the growth of the value beyond net deposits. */
export interface TraderEquity {
  /** Equity of the perpetual accounts of all dexes. */
  perp: Usd
  /** Spot balances, tokens at the mark price of their pair. */
  spot: Usd
  /** Deposits less withdrawals since the beginning: perpetual accounts, and all accounts. */
  perpIn: Usd
  allIn: Usd
}

/** Zeros before anything has happened. */
export function equityAt(world: World, { id, address }: Trader, place: Place): TraderEquity {
  const { atMs } = place
  const accountStates = new AccountStateReader(world, place)
  let perp: Usd = ZERO
  for (const dex of perpDexs(world)) {
    const accountState = accountStates.read(address, dex)
    if (accountState) perp = add(perp, accountSummaryOf(accountState).all.accountValue)
  }
  let spot: Usd = ZERO
  for (const { instrument, total, decimals } of spotTotals(world, id, atMs)) {
    const px = instrument && (markPx(world, instrument, atMs) ?? ZERO)
    spot = add(
      spot,
      instrument && px ? valueAt(total, decimals, px, instrument.pxDecimals) : usd(total),
    )
  }
  return { perp, spot, ...depositsUntil(world, id, atMs) }
}

/** Instants whose equity is cached. */
const CACHE_LIMIT = 50_000

/** The same for an instant that is used again and again, such as a point of a curve. */
export const cachedEquity = perWorld((world) => {
  const cached = new Cache<string, TraderEquity>(CACHE_LIMIT)
  return (trader: Trader, place: Place): TraderEquity =>
    cached.get(`${trader.id}/${place.atMs}/${chargeDelayMs(place)}`, () =>
      equityAt(world, trader, place),
    )
})

/** Time of a trader's first row; null for one without any activity. */
export function firstActivityMs(world: World, { id }: Trader): TapeMs | null {
  return cashFlowsOf(world)(id)[0]?.timeMs ?? null
}

function valueAt(total: number, decimals: number, px: Px, pxDecimals: number): Usd {
  const surplus = decimals + pxDecimals - MONEY_DECIMALS
  const product = BigInt(total) * BigInt(raw(px))
  if (surplus <= 0) return usd(multiply(Number(product), pow10(-surplus)))
  return usd(Number((2n * product + 10n ** BigInt(surplus)) / (2n * 10n ** BigInt(surplus))))
}

function depositsUntil(world: World, trader: number, atMs: TapeMs): { perpIn: Usd; allIn: Usd } {
  let [perpIn, allIn]: [Usd, Usd] = [ZERO, ZERO]
  for (const { timeMs, perp, all } of cashFlowsOf(world)(trader)) {
    if (timeMs > atMs) break
    perpIn = add(perpIn, perp)
    allIn = add(allIn, all)
  }
  return { perpIn, allIn }
}

interface CashFlow {
  timeMs: TapeMs
  perp: Usd
  all: Usd
}

/** Deposits and withdrawals, oldest first; tokens at the value that the ledger gives them. */
const cashFlowsOf = perWorld((world) => {
  const rows = FLOWS.prepare<[trader: number]>(
    world.db,
    `from ledger l join account a on a.id = l.account where l.trader = ? order by l.timeMs, l.id`,
  )
  const known = new Map<number, CashFlow[]>()
  return (trader: number): CashFlow[] => {
    const flows = known.get(trader) ?? rows.all(trader).map(cashFlow)
    known.set(trader, flows)
    return flows
  }
})

const [l, a] = [alias(ledger, 'l'), alias(account, 'a')]
const FLOWS = columns({
  timeMs: l.timeMs,
  usd: l.usd,
  sz: l.sz,
  dex: a.dex,
  /** The venue's JSON, where tokens were moved. */
  delta: sql<string | null>`iif(${l.instrument} is null, null, ${l.delta})`,
})

function cashFlow({ timeMs, usd: dollars, sz, dex, delta }: RowOf<typeof FLOWS>): CashFlow {
  const worth: Usd =
    delta === null ? ZERO : usd(parse(JSON.parse(delta).usdcValue ?? '0', MONEY_DECIMALS))
  return {
    timeMs,
    perp: dex === 'spot' ? ZERO : dollars,
    all: add(dollars, times(worth, sign(sz ?? ZERO))),
  }
}

const perpDexs = perWorld(({ instruments }) => [
  ...new Set(instruments.filter(({ kind }) => kind === 'perp').map(({ dex }) => dex)),
])
