/** Sums over liquidations. A liquidation without a known trade counts, but filled nothing. */

import type { CoinLiquidationStat } from '../../../../contract/records/liquidation.ts'
import { raw } from '../../../../decimal/quantity.ts'
import { crowdAddress } from '../../../crowd-address.ts'
import { bigintText } from '../../../formatting/decimal-text.ts'
import { CROWD, MONEY_DECIMALS } from '../../../schema.ts'
import type { Closing } from './liquidation-rows.ts'

interface SideSums {
  count: number
  filled: bigint
  pnl: bigint
}

export interface LiquidationSums {
  addresses: number
  long: SideSums
  short: SideSums
}

export function liquidationSums(closings: readonly Closing[]): LiquidationSums {
  const accounts = new Set<number | string>()
  const sides = { long: emptySide(), short: emptySide() }
  for (const { trader, direction, notional, closedPnl, oid } of closings) {
    if (trader === CROWD && oid !== null) accounts.add(crowdAddress(oid))
    else if (trader !== null) accounts.add(trader)
    const sum = sides[direction]
    sum.count++
    sum.filled += BigInt(raw(notional))
    sum.pnl += BigInt(raw(closedPnl))
  }
  return { addresses: accounts.size, ...sides }
}

/** By what was closed. */
export function compareByValue(a: LiquidationSums, b: LiquidationSums): number {
  const more = filledValue(a) - filledValue(b)
  return more > 0n ? 1 : more < 0n ? -1 : 0
}

/** As the service writes them. */
export function sumsRecord(sums: LiquidationSums): Omit<CoinLiquidationStat, 'coin'> {
  const { addresses, long, short } = sums
  return {
    addresses,
    shortLiquidations: short.count,
    longLiquidations: long.count,
    totalFilled: usd(filledValue(sums)),
    longFilled: usd(long.filled),
    shortFilled: usd(short.filled),
    totalPnl: usd(long.pnl + short.pnl),
    longPnl: usd(long.pnl),
    shortPnl: usd(short.pnl),
  }
}

const emptySide = (): SideSums => ({ count: 0, filled: 0n, pnl: 0n })
const filledValue = ({ long, short }: LiquidationSums) => long.filled + short.filled
const usd = (micros: bigint) => bigintText(micros, MONEY_DECIMALS)
