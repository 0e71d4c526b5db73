/** Prices and volumes of a pair, on the tape's own venue or derived from it. */
import { type Px, portion, px, type Quantity, raw } from '../../../decimal/quantity.ts'
import { share } from '../../../decimal/scaled.ts'
import { dice } from '../../../random/dice.ts'
import { stepOf } from '../../books/exchange.ts'
import type { World } from '../../world.ts'
import { sharesOf, WHOLE_SHARE } from '../derivatives/shares.ts'
import type { Pair } from '../pairs.ts'
import { perWorld } from '../per-world.ts'

/** What a pair trades of what the own venue trades, in ten-thousandths. */
export function partOf(world: World, { instrument, exchange, market }: Pair): number {
  const whole = sharesOf(world).stable(exchange, instrument)
  if (exchange === null || market === 'swap' || instrument.kind === 'spot') return whole
  return share(whole, spotPercents(world)(`${exchange.key} in ${instrument.coin}`), 100)
}

/** A size or a sum of the own venue as the pair's. */
export const scaled = <Q extends Quantity>(value: Q, part: number): Q =>
  portion(value, part, WHOLE_SHARE)

/** The same of a sum that may outgrow safe integers. */
export const scaledWide = (value: bigint, part: number) =>
  (value * BigInt(part)) / BigInt(WHOLE_SHARE)

/** A price of the own venue as it stands for the pair, on the exchange's tick. */
export function priceOn({ instrument, exchange, market }: Pair, own: Px): Px {
  if (exchange === null) return own
  const step = stepOf(instrument, exchange)
  const moved = raw(portion(own, WHOLE_PRICE + exchange.basis[market], WHOLE_PRICE))
  return px(Math.max(step, Math.round(moved / step) * step))
}

/** Bases are hundredths of a basis point. */
export const WHOLE_PRICE = 1_000_000

/** Spot turnover in percent of that of perpetuals. */
const spotPercents = perWorld(({ meta: { seed } }) => {
  const known = new Map<string, number>()
  return (name: string) => {
    const percent = known.get(name) ?? dice(seed, `spot share of ${name}`).between(15, 45)
    known.set(name, percent)
    return percent
  }
})
