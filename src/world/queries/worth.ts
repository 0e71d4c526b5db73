/** What somebody's accounts are worth at an instant, and what was brought into them by then. */
import { multiply, parse, power } from '../../decimal/scaled.ts'
import { Cache } from '../cache.ts'
import { MONEY_DECIMALS } from '../schema.ts'
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
  perp: number
  /** Spot balances, tokens at the mark price of their pair. */
  spot: number
  /** Brought in less taken out since the beginning: perpetual accounts, and all accounts. */
  perpIn: number
  allIn: number
}

/** Zeros before anything has happened. */
export function worthAt(world: World, { id, address }: Trader, place: Place): Worth {
  const { atMs } = place
  const purses = new PurseReader(world, place)
  let perp = 0
  for (const dex of dexsOf(world)) {
    const purse = purses.read(address, dex)
    if (purse) perp += accountOf(purse).all.accountValue
  }
  let spot = 0
  for (const { instrument, total, decimals } of spotTotals(world, id, atMs))
    spot += instrument
      ? priced(total, decimals, markPx(world, instrument, atMs) ?? 0, instrument.pxDecimals)
      : total
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
export function firstMs(world: World, { id }: Trader): number | null {
  return flowsOf(world)(id)[0]?.timeMs ?? null
}

function priced(total: number, decimals: number, px: number, pxDecimals: number): number {
  const surplus = decimals + pxDecimals - MONEY_DECIMALS
  const product = BigInt(total) * BigInt(px)
  if (surplus <= 0) return multiply(Number(product), power(-surplus))
  return Number((2n * product + 10n ** BigInt(surplus)) / (2n * 10n ** BigInt(surplus)))
}

function broughtIn(world: World, trader: number, atMs: number): { perpIn: number; allIn: number } {
  let [perpIn, allIn] = [0, 0]
  for (const { timeMs, perp, all } of flowsOf(world)(trader)) {
    if (timeMs > atMs) break
    perpIn += perp
    allIn += all
  }
  return { perpIn, allIn }
}

interface Flow {
  timeMs: number
  perp: number
  all: number
}

/** What came and went, oldest first; tokens at the value that the ledger gives them. */
const flowsOf = perWorld((world) => {
  const rows = world.db.prepare(
    `select l.timeMs, l.usd, l.sz, a.dex, case when l.instrument is null then null else l.delta end
     from ledger l join account a on a.id = l.account where l.trader = ? order by l.timeMs, l.id`,
  )
  const known = new Map<number, Flow[]>()
  return (trader: number): Flow[] => {
    const made = known.get(trader) ?? (rows.values(trader) as FlowValues[]).map(flowOf)
    known.set(trader, made)
    return made
  }
})

type FlowValues = [
  timeMs: number,
  usd: number,
  sz: number | null,
  dex: string,
  delta: string | null,
]

function flowOf([timeMs, usd, sz, dex, delta]: FlowValues): Flow {
  const tokens = delta === null ? 0 : parse(JSON.parse(delta).usdcValue ?? '0', MONEY_DECIMALS)
  return {
    timeMs,
    perp: dex === 'spot' ? 0 : usd,
    all: usd + Math.sign(sz ?? 0) * tokens,
  }
}

const dexsOf = perWorld(({ instruments }) => [
  ...new Set(instruments.filter(({ kind }) => kind === 'perp').map(({ dex }) => dex)),
])
