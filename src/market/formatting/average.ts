import type { Sz, Usd } from '../../decimal/quantity.ts'
import { format } from '../../decimal/scaled.ts'
import { entryPx } from '../accounting/position.ts'
import { type InstrumentRow, MONEY_DECIMALS } from '../schema/schema.ts'

/** notional / size, with one decimal more than prices have: an average lies between ticks. */
export function averageText(of: InstrumentRow, sz: Sz, notional: Usd): string {
  const decimals = of.pxDecimals + 1
  return format(entryPx({ sz, cost: notional }, of.szDecimals, MONEY_DECIMALS, decimals), decimals)
}
