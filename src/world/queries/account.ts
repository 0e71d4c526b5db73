/** The sums over a perpetual account. All money in micro-dollars. */

import { divide } from '../../decimal/scaled.ts'
import {
  initialMargin,
  isolatedMargin,
  liquidationPx,
  maintenanceMargin,
  positionValue,
  unrealisedPnl,
} from '../accounting/margin.ts'
import type { Holding, Purse } from './purse.ts'

/** A position that is not flat. */
export interface Position extends Holding {
  /** At the mark, never negative. */
  value: number
  unrealised: number
  /** Cross: initial margin at the leverage set. Isolated: the equity behind the position. */
  marginUsed: number
  /** Price units; null when no price above zero liquidates. */
  liquidationPx: number | null
}

export interface Sums {
  accountValue: number
  totalNtlPos: number
  /** Account value less signed position value. */
  totalRawUsd: number
  totalMarginUsed: number
}

export interface Account {
  positions: Position[]
  /** Cross and isolated together, and cross alone. */
  all: Sums
  cross: Sums
  crossMaintenance: number
  withdrawable: number
}

/** An account as it stands: value = cash - funding paid + unrealised PnL. */
export function accountOf({ cash, holdings }: Purse): Account {
  const open = holdings.filter(({ sz }) => sz !== 0).map(valued)
  const isolated = open.filter((one) => one.isolated)
  const crossed = open.filter((one) => !one.isolated)
  const fundingPaid = sum(holdings, (one) => one.funding.allTime)
  const accountValue = cash - fundingPaid + sum(open, (one) => one.unrealised)
  const crossValue = accountValue - sum(isolated, (one) => one.marginUsed)
  const all = sumsOf(accountValue, open)
  const cross = sumsOf(crossValue, crossed)
  const crossMaintenance = sum(crossed, maintenance)
  // The venue keeps the larger of the initial margin and a tenth of what is held.
  const kept = Math.max(cross.totalMarginUsed, divide(cross.totalNtlPos, 10))
  const withdrawable = Math.max(0, crossValue - kept)
  const positions = open.map((one) => ({
    ...one,
    liquidationPx: liquidation(one, crossValue, crossMaintenance),
  }))
  return { positions, all, cross, crossMaintenance, withdrawable }
}

type Valued = Omit<Position, 'liquidationPx'>

function valued(holding: Holding): Valued {
  const { instrument, sz, cost, px, leverage, isolated, funding } = holding
  const value = positionValue(sz, px, instrument)
  const unrealised = unrealisedPnl({ sz, cost }, px, instrument)
  const marginUsed = isolated
    ? isolatedMargin(cost, leverage) + unrealised - funding.sinceOpen
    : initialMargin(value, leverage)
  return { ...holding, value, unrealised, marginUsed }
}

function liquidation(one: Valued, crossValue: number, crossMaintenance: number): number | null {
  const { instrument, sz, px, isolated, marginUsed } = one
  if (isolated) return liquidationPx(sz, px, marginUsed, 0, instrument)
  return liquidationPx(sz, px, crossValue, crossMaintenance - maintenance(one), instrument)
}

const maintenance = ({ value, instrument }: Valued) =>
  maintenanceMargin(value, instrument.maxLeverage)

function sumsOf(accountValue: number, positions: readonly Valued[]): Sums {
  return {
    accountValue,
    totalNtlPos: sum(positions, (one) => one.value),
    totalRawUsd: accountValue - sum(positions, (one) => Math.sign(one.sz) * one.value),
    totalMarginUsed: sum(positions, (one) => one.marginUsed),
  }
}

function sum<T>(list: readonly T[], of: (one: T) => number): number {
  let total = 0
  for (const one of list) total += of(one)
  return total
}
