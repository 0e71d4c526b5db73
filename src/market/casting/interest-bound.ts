import { type Px, raw, type Sz } from '../../decimal/quantity.ts'
import { format, pow10 } from '../../decimal/scaled.ts'
import { UserError } from '../../platform/user-error.ts'
import type { InputInstrument } from './tape-input.ts'

/** Dollars of one coin; sums over exchanges and days are whole cents beyond that no more. */
const MOST_USD = 10e12

/** Refuses an open interest that is worth more than can be cast. */
export function checkInterest(of: InputInstrument, sz: Sz, px: Px): void {
  const { coin, pxDecimals, szDecimals } = of
  const usd = (raw(sz) / pow10(szDecimals)) * (raw(px) / pow10(pxDecimals))
  if (usd <= MOST_USD) return
  const [size, price] = [format(raw(sz), szDecimals), format(raw(px), pxDecimals)]
  throw new UserError(
    `the tape reports an open interest of ${size} ${coin}, worth ${billions(usd)} at ${price}: ` +
      `at most ${billions(MOST_USD)} of a coin can be cast`,
  )
}

const billions = (usd: number) => `${Math.round(usd / 1e9).toLocaleString('en-US')} billion dollars`
