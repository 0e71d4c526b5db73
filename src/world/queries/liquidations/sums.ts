/** Sums over forced closings. A closing of which no trade is known counts, but filled nothing. */

import type { CoinLiquidationStat } from '../../../contract/records/liquidation.ts'
import { raw } from '../../../decimal/quantity.ts'
import { MONEY_DECIMALS } from '../../schema.ts'
import { wideText } from '../wording.ts'
import type { Closing } from './closings.ts'

interface Side {
  count: number
  filled: bigint
  pnl: bigint
}

export interface Sums {
  addresses: number
  long: Side
  short: Side
}

export function sumsOf(closings: readonly Closing[]): Sums {
  const traders = new Set<number>()
  const sides = { long: side(), short: side() }
  for (const { trader, direction, notional, closedPnl } of closings) {
    if (trader !== null) traders.add(trader)
    const sum = sides[direction]
    sum.count++
    sum.filled += BigInt(raw(notional))
    sum.pnl += BigInt(raw(closedPnl))
  }
  return { addresses: traders.size, ...sides }
}

/** By what was closed. */
export function compareSums(a: Sums, b: Sums): number {
  const more = filled(a) - filled(b)
  return more > 0n ? 1 : more < 0n ? -1 : 0
}

/** As the service writes them. */
export function writeSums(sums: Sums): Omit<CoinLiquidationStat, 'coin'> {
  const { addresses, long, short } = sums
  return {
    addresses,
    shortLiquidations: short.count,
    longLiquidations: long.count,
    totalFilled: usd(filled(sums)),
    longFilled: usd(long.filled),
    shortFilled: usd(short.filled),
    totalPnl: usd(long.pnl + short.pnl),
    longPnl: usd(long.pnl),
    shortPnl: usd(short.pnl),
  }
}

const side = (): Side => ({ count: 0, filled: 0n, pnl: 0n })
const filled = ({ long, short }: Sums) => long.filled + short.filled
const usd = (micros: bigint) => wideText(micros, MONEY_DECIMALS)
