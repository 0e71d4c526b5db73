/** Prices of another exchange. */
import { type Px, px, raw } from '../../decimal/quantity.ts'
import { pow10 } from '../../decimal/scaled.ts'
import type { InstrumentRow } from '../schema/schema.ts'
import type { Exchange } from './exchanges.ts'

type FirstPrice = Pick<InstrumentRow, 'firstPx'>

/** A price of the own venue moved by a part of itself, on the exchange's tick. */
export function pairPrice(of: FirstPrice, exchange: Exchange, own: Px, basis: number): Px {
  const step = tickOf(of, exchange)
  return px(Math.max(step, Math.round((raw(own) * (1 + basis)) / step) * step))
}

/** The exchange's tick in price units. It follows the tape's first price, so it never changes. */
export function tickOf({ firstPx }: FirstPrice, { tick: { figures, step } }: Exchange): number {
  const surplus = digitsOf(firstPx === null ? 1 : raw(firstPx)) - figures
  return surplus < 0 ? 1 : step * pow10(surplus)
}

function digitsOf(units: number): number {
  let digits = 1
  for (let limit = 10; limit <= units; limit *= 10) digits++
  return digits
}
