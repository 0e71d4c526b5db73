/** Prices and volumes of a pair, on the tape's own venue or derived from it. */
import { type Px, portion, px, type Quantity, raw } from '../../decimal/quantity.ts'
import { mulDiv } from '../../decimal/scaled.ts'
import { randomSource } from '../../random/random-source.ts'
import { perWorld } from '../per-world.ts'
import type { World } from '../world.ts'
import { tickOf } from './derived-books.ts'
import { exchangeSharesOf, SHARE_SCALE } from './exchange-shares.ts'
import type { Pair } from './pairs.ts'

/** What a pair trades of what the own venue trades, in ten-thousandths. */
export function volumeShareOf(world: World, { instrument, exchange, market }: Pair): number {
  const whole = exchangeSharesOf(world).stablecoinShare(exchange, instrument)
  if (exchange === null || market === 'swap' || instrument.kind === 'spot') return whole
  return mulDiv(whole, spotPercents(world)(`${exchange.key} in ${instrument.coin}`), 100)
}

/** A size or a sum of the own venue as the pair's. */
export const scaleVolume = <Q extends Quantity>(value: Q, part: number): Q =>
  portion(value, part, SHARE_SCALE)

/** The same of a sum that may outgrow safe integers. */
export const scaleBigVolume = (value: bigint, part: number) =>
  (value * BigInt(part)) / BigInt(SHARE_SCALE)

/** A price of the own venue shifted to the pair, on the exchange's tick. */
export function pairPrice({ instrument, exchange, market }: Pair, own: Px): Px {
  if (exchange === null) return own
  const step = tickOf(instrument, exchange)
  const moved = raw(portion(own, PRICE_SCALE + exchange.basis[market], PRICE_SCALE))
  return px(Math.max(step, Math.round(moved / step) * step))
}

/** Bases are hundredths of a basis point. */
export const PRICE_SCALE = 1_000_000

/** Spot turnover in percent of that of perpetuals. */
const spotPercents = perWorld(({ meta: { seed } }) => {
  const known = new Map<string, number>()
  return (name: string) => {
    const percent = known.get(name) ?? randomSource(seed, `spot share of ${name}`).between(15, 45)
    known.set(name, percent)
    return percent
  }
})
