/** The sums over a perpetual account. All money in micro-dollars. */

import {
  add,
  greater,
  type Px,
  portion,
  sign,
  subtract,
  sum,
  times,
  type Usd,
  ZERO,
} from '../../decimal/quantity.ts'
import {
  initialMargin,
  isolatedMargin,
  liquidationPx,
  maintenanceMargin,
  positionValue,
  unrealisedPnl,
} from '../accounting/margin.ts'
import type { AccountHolding, AccountState } from './account-state.ts'

/** A position that is not flat. */
export interface ValuedPosition extends AccountHolding {
  /** At the mark, never negative. */
  value: Usd
  unrealised: Usd
  /** Cross: initial margin at the leverage set. Isolated: the equity behind the position. */
  marginUsed: Usd
  /** Price units; null when no price above zero liquidates. */
  liquidationPx: Px | null
}

export interface MarginSums {
  accountValue: Usd
  totalNtlPos: Usd
  /** Account value less signed position value. */
  totalRawUsd: Usd
  totalMarginUsed: Usd
}

export interface AccountSummary {
  positions: ValuedPosition[]
  /** Cross and isolated together, and cross alone. */
  all: MarginSums
  cross: MarginSums
  crossMaintenance: Usd
  withdrawable: Usd
}

/** The sums of an account: value = cash - funding paid + unrealised PnL. */
export function accountSummaryOf({ cash, holdings }: AccountState): AccountSummary {
  const open = holdings.filter(({ sz }) => sz !== ZERO).map(pricedHolding)
  const isolated = open.filter((one) => one.isolated)
  const crossed = open.filter((one) => !one.isolated)
  const fundingPaid = sum(holdings.map((one) => one.funding.allTime))
  const unrealised = sum(open.map((one) => one.unrealised))
  const accountValue = add(subtract(cash, fundingPaid), unrealised)
  const crossValue = subtract(accountValue, sum(isolated.map((one) => one.marginUsed)))
  const all = sumsOf(accountValue, open)
  const cross = sumsOf(crossValue, crossed)
  const crossMaintenance = sum(crossed.map(maintenance))
  // The venue keeps the larger of the initial margin and a tenth of what is held.
  const reserved = greater(cross.totalMarginUsed, portion(cross.totalNtlPos, 1, 10))
  const withdrawable = greater(ZERO, subtract(crossValue, reserved))
  const positions = open.map((one) => ({
    ...one,
    liquidationPx: liquidation(one, crossValue, crossMaintenance),
  }))
  return { positions, all, cross, crossMaintenance, withdrawable }
}

type PricedHolding = Omit<ValuedPosition, 'liquidationPx'>

function pricedHolding(holding: AccountHolding): PricedHolding {
  const { instrument, sz, cost, px, leverage, isolated, funding } = holding
  const value = positionValue(sz, px, instrument)
  const unrealised = unrealisedPnl({ sz, cost }, px, instrument)
  const marginUsed = isolated
    ? subtract(add(isolatedMargin(cost, leverage), unrealised), funding.sinceChange)
    : initialMargin(value, leverage)
  return { ...holding, value, unrealised, marginUsed }
}

function liquidation(one: PricedHolding, crossValue: Usd, crossMaintenance: Usd): Px | null {
  const { instrument, sz, px, isolated, marginUsed } = one
  if (isolated) return liquidationPx(sz, px, marginUsed, ZERO, instrument)
  const others = subtract(crossMaintenance, maintenance(one))
  return liquidationPx(sz, px, crossValue, others, instrument)
}

const maintenance = ({ value, instrument }: PricedHolding) =>
  maintenanceMargin(value, instrument.maxLeverage)

function sumsOf(accountValue: Usd, positions: readonly PricedHolding[]): MarginSums {
  const signed = sum(positions.map((one) => times(one.value, sign(one.sz))))
  return {
    accountValue,
    totalNtlPos: sum(positions.map((one) => one.value)),
    totalRawUsd: subtract(accountValue, signed),
    totalMarginUsed: sum(positions.map((one) => one.marginUsed)),
  }
}
