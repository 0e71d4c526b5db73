/** Sums over liquidations. A liquidation without a known trade counts, but filled nothing. */

import type { CoinLiquidationStat } from '../../../../contract/records/liquidation.ts'
import { bigintText } from '../../../formatting/decimal-text.ts'
import { type LiquidationWindow, placesOf } from '../../../rows/liquidation-columns.ts'
import { MONEY_DECIMALS } from '../../../schema.ts'

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

/** Of all liquidations of a window together. */
export function liquidationSums(window: LiquidationWindow): LiquidationSums {
  const { columns, first, of } = window
  const priors = of === null ? columns.priors : columns.ownPriors
  const adder = new SumsAdder()
  for (const at of placesOf(window)) adder.add(columns, at, (priors[at] as number) < first)
  return adder.sums()
}

/** By instrument.id, of those that have any. */
export function sumsByInstrument({ columns, first, last }: LiquidationWindow) {
  const { instruments, ownPriors } = columns
  const adders = new Map<number, SumsAdder>()
  for (let at = first; at <= last; at++) {
    const id = instruments[at] as number
    const adder = adders.get(id) ?? new SumsAdder()
    adders.set(id, adder)
    adder.add(columns, at, (ownPriors[at] as number) < first)
  }
  return [...adders].map(([id, adder]) => ({ id, sums: adder.sums() }))
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

class SumsAdder {
  private addresses = 0
  private readonly long = new SideAdder()
  private readonly short = new SideAdder()

  /** `isFirst`: the first one of its account. */
  add({ isLong, notionals, pnls }: LiquidationWindow['columns'], at: number, isFirst: boolean) {
    if (isFirst) this.addresses++
    const side = isLong[at] === 1 ? this.long : this.short
    side.count++
    side.filled.add(notionals[at] as number)
    side.pnl.add(pnls[at] as number)
  }

  sums(): LiquidationSums {
    return { addresses: this.addresses, long: this.long.sums(), short: this.short.sums() }
  }
}

class SideAdder {
  count = 0
  readonly filled = new ExactSum()
  readonly pnl = new ExactSum()

  sums(): SideSums {
    return { count: this.count, filled: this.filled.total(), pnl: this.pnl.total() }
  }
}

/** Adds plain numbers for as long as they are exact: a window has ten thousands. */
class ExactSum {
  private whole = 0n
  private part = 0

  add(value: number): void {
    const sum = this.part + value
    if (Number.isSafeInteger(sum)) this.part = sum
    else {
      this.whole += BigInt(this.part)
      this.part = value
    }
  }

  total(): bigint {
    return this.whole + BigInt(this.part)
  }
}

const filledValue = ({ long, short }: LiquidationSums) => long.filled + short.filled
const usd = (micros: bigint) => bigintText(micros, MONEY_DECIMALS)
