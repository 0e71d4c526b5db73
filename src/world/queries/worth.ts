/** What somebody's accounts are worth at an instant, and what was brought into them by then. */

import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { TapeMs } from '../../clock/instant.ts'
import { add, type Px, raw, sign, times, type Usd, usd, ZERO } from '../../decimal/quantity.ts'
import { multiply, parse, power } from '../../decimal/scaled.ts'
import { Cache } from '../cache.ts'
import { columns, type RowOf } from '../rows/columns.ts'
import { account, ledger, MONEY_DECIMALS } from '../schema.ts'
import type { World } from '../world.ts'
import { accountOf } from './account.ts'
import { chargeDelayMs, type Place } from './charges.ts'
import { perWorld } from './per-world.ts'
import { markPx, PurseReader } from './purse.ts'
import { spotTotals } from './spot.ts'
import type { Trader } from './traders.ts'

/** Micro-dollars. PnL of a span is what the value has grown beyond what was brought in. */
export interface Worth {
  /** Equity of the perpetual accounts of all dexes. */
  perp: Usd
  /** Spot balances, tokens at the mark price of their pair. */
  spot: Usd
  /** Brought in less taken out since the beginning: perpetual accounts, and all accounts. */
  perpIn: Usd
  allIn: Usd
}

/** Zeros before anything has happened. */
export function worthAt(world: World, { id, address }: Trader, place: Place): Worth {
  const { atMs } = place
  const purses = new PurseReader(world, place)
  let perp: Usd = ZERO
  for (const dex of dexsOf(world)) {
    const purse = purses.read(address, dex)
    if (purse) perp = add(perp, accountOf(purse).all.accountValue)
  }
  let spot: Usd = ZERO
  for (const { instrument, total, decimals } of spotTotals(world, id, atMs)) {
    const px = instrument && (markPx(world, instrument, atMs) ?? ZERO)
    spot = add(
      spot,
      instrument && px ? priced(total, decimals, px, instrument.pxDecimals) : usd(total),
    )
  }
  return { perp, spot, ...broughtIn(world, id, atMs) }
}

/** Instants whose worth is kept. */
const KEPT = 50_000

/** The same for an instant that is asked for again and again, such as a point of a curve. */
export const worthKept = perWorld((world) => {
  const kept = new Cache<string, Worth>(KEPT)
  return (trader: Trader, place: Place): Worth =>
    kept.get(`${trader.id}/${place.atMs}/${chargeDelayMs(place)}`, () =>
      worthAt(world, trader, place),
    )
})

/** Time of the first thing that ever happened to a trader; null for one that never acts. */
export function firstMs(world: World, { id }: Trader): TapeMs | null {
  return flowsOf(world)(id)[0]?.timeMs ?? null
}

function priced(total: number, decimals: number, px: Px, pxDecimals: number): Usd {
  const surplus = decimals + pxDecimals - MONEY_DECIMALS
  const product = BigInt(total) * BigInt(raw(px))
  if (surplus <= 0) return usd(multiply(Number(product), power(-surplus)))
  return usd(Number((2n * product + 10n ** BigInt(surplus)) / (2n * 10n ** BigInt(surplus))))
}

function broughtIn(world: World, trader: number, atMs: TapeMs): { perpIn: Usd; allIn: Usd } {
  let [perpIn, allIn]: [Usd, Usd] = [ZERO, ZERO]
  for (const { timeMs, perp, all } of flowsOf(world)(trader)) {
    if (timeMs > atMs) break
    perpIn = add(perpIn, perp)
    allIn = add(allIn, all)
  }
  return { perpIn, allIn }
}

interface Flow {
  timeMs: TapeMs
  perp: Usd
  all: Usd
}

/** What came and went, oldest first; tokens at the value that the ledger gives them. */
const flowsOf = perWorld((world) => {
  const rows = FLOWS.prepare<[trader: number]>(
    world.db,
    `from ledger l join account a on a.id = l.account where l.trader = ? order by l.timeMs, l.id`,
  )
  const known = new Map<number, Flow[]>()
  return (trader: number): Flow[] => {
    const made = known.get(trader) ?? rows.all(trader).map(flowOf)
    known.set(trader, made)
    return made
  }
})

const [l, a] = [alias(ledger, 'l'), alias(account, 'a')]
const FLOWS = columns({
  timeMs: l.timeMs,
  usd: l.usd,
  sz: l.sz,
  dex: a.dex,
  /** The venue's words, where tokens were moved. */
  delta: sql<string | null>`iif(${l.instrument} is null, null, ${l.delta})`,
})

function flowOf({ timeMs, usd: dollars, sz, dex, delta }: RowOf<typeof FLOWS>): Flow {
  const worth: Usd =
    delta === null ? ZERO : usd(parse(JSON.parse(delta).usdcValue ?? '0', MONEY_DECIMALS))
  return {
    timeMs,
    perp: dex === 'spot' ? ZERO : dollars,
    all: add(dollars, times(worth, sign(sz ?? ZERO))),
  }
}

const dexsOf = perWorld(({ instruments }) => [
  ...new Set(instruments.filter(({ kind }) => kind === 'perp').map(({ dex }) => dex)),
])
