/** What a trader's accounts are worth at an instant, and what was deposited into them by then. */
import type { TapeMs } from '../../clock/instant.ts'
import { add, type Px, raw, type Usd, usd, ZERO } from '../../decimal/quantity.ts'
import { multiply, pow10 } from '../../decimal/scaled.ts'
import { perWorld } from '../per-world.ts'
import { MONEY_DECIMALS } from '../schema.ts'
import type { World } from '../world.ts'
import { AccountStateReader } from './account-state.ts'
import { accountSummaryOf } from './account-summary.ts'
import type { Place } from './funding-charges.ts'
import { markPx } from './mark-prices.ts'
import { spotTotals } from './spot-balances.ts'
import { depositsAt, traderHistories } from './trader-history.ts'
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
export function equityAt(world: World, { id }: Trader, place: Place): TraderEquity {
  const { atMs } = place
  const accountStates = new AccountStateReader(world, place)
  let perp: Usd = ZERO
  for (const dex of perpDexs(world)) {
    const accountState = accountStates.readTrader(id, dex)
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
  const deposits = depositsAt(traderHistories(world).of(id), atMs)
  return { perp, spot, perpIn: deposits.perp, allIn: add(deposits.perp, deposits.spot) }
}

/** Time of a trader's first row; null for one without any activity. */
export function firstActivityMs(world: World, { id }: Trader): TapeMs | null {
  return traderHistories(world).of(id).firstMs
}

function valueAt(total: number, decimals: number, px: Px, pxDecimals: number): Usd {
  const surplus = decimals + pxDecimals - MONEY_DECIMALS
  const product = BigInt(total) * BigInt(raw(px))
  if (surplus <= 0) return usd(multiply(Number(product), pow10(-surplus)))
  return usd(Number((2n * product + 10n ** BigInt(surplus)) / (2n * 10n ** BigInt(surplus))))
}

const perpDexs = perWorld(({ instruments }) => [
  ...new Set(instruments.filter(({ kind }) => kind === 'perp').map(({ dex }) => dex)),
])
