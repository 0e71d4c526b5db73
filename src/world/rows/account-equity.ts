/** What a trader's spot account is worth at an instant, token by token. */
import type { TapeMs } from '../../clock/instant.ts'
import { add, type Px, raw, type Usd, usd, ZERO } from '../../decimal/quantity.ts'
import { multiply, pow10 } from '../../decimal/scaled.ts'
import { MONEY_DECIMALS } from '../schema.ts'
import type { World } from '../world.ts'
import { markPx } from './mark-prices.ts'
import { spotTotals } from './spot-balances.ts'

/** Dollars, and tokens at the mark price of their pair. Zero before anything has happened. */
export function spotEquityAt(world: World, trader: number, atMs: TapeMs): Usd {
  let spot: Usd = ZERO
  for (const { instrument, total, decimals } of spotTotals(world, trader, atMs)) {
    const px = instrument && (markPx(world, instrument, atMs) ?? ZERO)
    spot = add(
      spot,
      instrument && px ? valueAt(total, decimals, px, instrument.pxDecimals) : usd(total),
    )
  }
  return spot
}

function valueAt(total: number, decimals: number, px: Px, pxDecimals: number): Usd {
  const surplus = decimals + pxDecimals - MONEY_DECIMALS
  const product = BigInt(total) * BigInt(raw(px))
  if (surplus <= 0) return usd(multiply(Number(product), pow10(-surplus)))
  return usd(Number((2n * product + 10n ** BigInt(surplus)) / (2n * 10n ** BigInt(surplus))))
}
