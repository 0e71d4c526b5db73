/** The other exchanges: what is fixed about each, and how a pair moves there. */

import { randomSource } from '../../random/random-source.ts'
import { ExchangeMotion } from '../bars/exchange-motion.ts'
import type { InstrumentRow } from '../schema/schema.ts'
import { perWorld } from '../world/per-world.ts'

export interface Exchange {
  /** As written after the colon of a dbKey. */
  key: string
  /** Hundredths of a basis point that its prices lie above the own venue's: perpetuals, spot. */
  basis: { swap: number; spot: number }
  /** How restless that is, 1 for the calmest. */
  unrest: number
  /** How much a minute's volume goes its own way: standard deviation of its logarithm. */
  ownVolume: number
  /** Hundredths of a basis point between bid and ask, where the tick allows it. */
  spread: number
  /** Its sizes in percent of the own venue's. */
  depth: number
  /** Percent of prices near the best one at which there are orders. */
  filled: number
  /** Significant figures of a price, and the step of the last one. */
  tick: { figures: number; step: number }
}

export const EXCHANGES: readonly Exchange[] = [
  {
    key: 'binance',
    basis: { swap: 110, spot: -140 },
    unrest: 1,
    ownVolume: 0.15,
    spread: 2,
    depth: 310,
    filled: 98,
    tick: { figures: 6, step: 1 },
  },
  {
    key: 'okex',
    basis: { swap: 60, spot: -180 },
    unrest: 1.2,
    ownVolume: 0.16,
    spread: 3,
    depth: 190,
    filled: 95,
    tick: { figures: 6, step: 1 },
  },
  {
    key: 'bybit',
    basis: { swap: 90, spot: -120 },
    unrest: 1.1,
    ownVolume: 0.18,
    spread: 4,
    depth: 170,
    filled: 92,
    tick: { figures: 6, step: 1 },
  },
  {
    key: 'gate',
    basis: { swap: 150, spot: -60 },
    unrest: 1.8,
    ownVolume: 0.21,
    spread: 15,
    depth: 60,
    filled: 70,
    tick: { figures: 5, step: 1 },
  },
  {
    key: 'huobi',
    basis: { swap: -40, spot: -230 },
    unrest: 2.1,
    ownVolume: 0.22,
    spread: 20,
    depth: 45,
    filled: 60,
    tick: { figures: 5, step: 1 },
  },
  {
    key: 'bitget',
    basis: { swap: 70, spot: -90 },
    unrest: 1.5,
    ownVolume: 0.2,
    spread: 8,
    depth: 85,
    filled: 80,
    tick: { figures: 5, step: 2 },
  },
]

/** Exchanges that list a contract on the coin: those of the main dex; null is the own venue. */
export function exchangesListing(of: InstrumentRow): (Exchange | null)[] {
  return of.dex === '' ? [null, ...EXCHANGES] : [null]
}

/** Salts of hashed noise by name; they belong to the world's seed. */
export const saltsOf = perWorld(({ meta: { seed } }) => {
  const known = new Map<string, number>()
  return (name: string): number => {
    const salt = known.get(name) ?? randomSource(seed, name).between(0, 2 ** 32 - 1)
    known.set(name, salt)
    return salt
  }
})

/** How an instrument moves on an exchange, as a perpetual or on its spot market. */
export const motionsOf = perWorld((world) => {
  const known = { swap: new Map<number, ExchangeMotion>(), spot: new Map<number, ExchangeMotion>() }
  const saltOf = saltsOf(world)
  const make = (exchange: Exchange, of: InstrumentRow, market: 'swap' | 'spot') => {
    const own = randomSource(world.meta.seed, `size of ${exchange.key} in ${of.coin}`)
    const size = (exchange.depth / 100) * (own.between(75, 130) / 100)
    const spotPart = own.between(15, 45) / 100
    const isBeside = market === 'spot' && of.kind === 'perp'
    return new ExchangeMotion({
      salt: saltOf(`${exchange.key}/${market}/${of.coin}`),
      sharedSalt: saltOf(`elsewhere/${of.coin}`),
      basis: { mean: exchange.basis[market] * HUNDREDTH_BP, sd: exchange.unrest * basisSd(of) },
      volume: isBeside ? size * spotPart : size,
      interest: size * (own.between(85, 115) / 100),
      ownVolume: exchange.ownVolume,
    })
  }
  return (exchange: Exchange, of: InstrumentRow, market: 'swap' | 'spot'): ExchangeMotion => {
    const key = of.id * EXCHANGES.length + EXCHANGES.indexOf(exchange)
    const before = known[market].get(key)
    if (before !== undefined) return before
    const motion = make(exchange, of, market)
    known[market].set(key, motion)
    return motion
  }
})

const HUNDREDTH_BP = 1e-6
/** Of a coin with the venue's highest leverage. */
const MAJOR_BASIS_SD = 0.8e-4
const HIGHEST_LEVERAGE = 40

/** The venue grants high leverage to what is traded most, where prices are closest. */
const basisSd = ({ maxLeverage }: InstrumentRow) =>
  MAJOR_BASIS_SD * (HIGHEST_LEVERAGE / Math.min(HIGHEST_LEVERAGE, Math.max(maxLeverage, 3))) ** 0.7
