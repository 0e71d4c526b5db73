/** Stakes of traders, and their shares of the vault. */
import { type TapeMs, tapeMs } from '../../clock/instant.ts'
import { add, raw, type Usd, ZERO } from '../../decimal/quantity.ts'
import {
  SAVINGS_UNIT,
  STAKING,
  sharesValue,
  stakedInstrument,
  stakedValue,
  VAULT,
  type Vault,
  vaultOf,
} from '../accounting/savings.ts'
import { perMarket } from '../world/cache.ts'
import type { World } from '../world/world.ts'
import { markPx } from './mark-prices.ts'
import { accountOn, traderHistories } from './trader-histories.ts'

/** The vault of a world. */
export const vaultOfWorld: (world: World) => Vault = perMarket(({ meta }) => vaultOf(meta.seed))

/** Value of units of staked tokens or of shares at an instant. */
export function savingsValue(world: World, dex: string, units: number, atMs: TapeMs): Usd {
  if (units === 0) return ZERO
  if (dex === VAULT) return sharesValue(units, vaultOfWorld(world).sharePx(atMs))
  const of = stakedInstrument(world.instruments)
  return of ? stakedValue(units, raw(markPx(world, of, atMs) ?? ZERO), of) : ZERO
}

/** Savings of a trader at an instant. */
export interface Savings {
  staked: Usd
  invested: Usd
  /** Tokens. */
  stakedTokens: number
  /** When the shares were bought; null without any. */
  investedMs: TapeMs | null
}

/** Zeros where there is nothing. */
export function savingsAt(world: World, trader: number, atMs: TapeMs): Savings {
  const history = traderHistories(world).of(trader)
  const units = (dex: string) => accountOn(history, dex)?.cash.at(atMs) ?? 0
  const stakedUnits = units(STAKING)
  const shares = accountOn(history, VAULT)?.cash
  const row = shares?.lastUpTo(atMs) ?? -1
  return {
    staked: savingsValue(world, STAKING, stakedUnits, atMs),
    invested: savingsValue(world, VAULT, units(VAULT), atMs),
    stakedTokens: stakedUnits / SAVINGS_UNIT,
    investedMs: shares && row >= 0 ? tapeMs(shares.timeMs(row)) : null,
  }
}

/** The sum of it. */
export function savingsSum(world: World, trader: number, atMs: TapeMs): Usd {
  const { staked, invested } = savingsAt(world, trader, atMs)
  return add(staked, invested)
}
