/** The other exchanges: their constants, and a pair's motion there. */

import { randomSource } from '../../random/random-source.ts'
import { ExchangeMotion } from '../bars/exchange-motion.ts'
import type { InstrumentRow } from '../schema/schema.ts'
import { perListing, perWorld } from '../world/cache.ts'
import { listedMs } from '../world/market-standing.ts'
import type { World } from '../world/world.ts'
import { stressOf } from './venue-stress.ts'

// Pairs of the depth endpoints, by dbKey: `<base>swap<quote>:<exchange>` for perpetuals,
// `<base><quote>:<exchange>` for spot, all lower case.
//
// The tape's own venue is `hl` (`btcswapusdc:hl`, `purrusdc:hl`). Main-dex perpetuals are also
// listed as `swapusdt` and spot `usdt` pairs on the other exchanges, spot-only assets as spot.

/** Contract of a symbol. */
export interface Contract {
  instrument: InstrumentRow
  /** null for the tape's venue. */
  exchange: Exchange | null
}

/** The perpetual of a pair with its exchange, `btcswapusdt:binance`; null for all else. */
export function contractOf(world: World, symbol: string): Contract | null {
  const pair = pairsOf(world).get(symbol.toLowerCase())
  return pair && isPerpetual(pair) ? pair : null
}

/** The perpetual of an aggregated pair, `btcswapusdt` or its coin's symbol, over all exchanges. */
export function aggregateOf(world: World, symbol: string): InstrumentRow | null {
  return aggregatesOf(world).get(symbol.toLowerCase()) ?? perpOfCoin(world, symbol)
}

/** The perpetual of a coin by its symbol, `BTC` or `btc`; that of the main dex comes first. */
export function perpOfCoin(world: World, symbol: string): InstrumentRow | null {
  return perpsByCoin(world).get(symbol.toLowerCase()) ?? null
}

/** All perpetual pairs by dbKey. */
export const contractsOf = perListing(
  (world) => new Map([...pairsOf(world)].filter(([, pair]) => isPerpetual(pair))),
)

const isPerpetual = ({ market, instrument }: Pair) =>
  market === 'swap' && instrument.kind === 'perp'

const aggregatesOf = perListing((world) => {
  const pairs = new Map<string, InstrumentRow>()
  for (const [key, { instrument }] of contractsOf(world))
    pairs.set(key.slice(0, key.lastIndexOf(':')), instrument)
  return pairs
})

const perpsByCoin = perListing(({ listed }) => {
  const perps = listed.filter(({ kind }) => kind === 'perp')
  const [main, others] = [perps.filter((one) => one.dex === ''), perps.filter((one) => one.dex)]
  const byName = [...others.toReversed(), ...main.toReversed()]
  return new Map(byName.map((one) => [one.base.toLowerCase(), one]))
})

export interface Pair {
  instrument: InstrumentRow
  /** null for the tape's venue. */
  exchange: Exchange | null
  market: 'swap' | 'spot'
}

/** All dbKeys, the tape's venue first. */
export const dbKeys = (world: World): string[] => [...pairsOf(world).keys()]

/** Pairs by dbKey. */
export const pairsOf = perListing((world) => {
  const { listed } = world
  const pairs = new Map<string, Pair>()
  const add = (key: string, pair: Pair) => pairs.has(key) || pairs.set(key, pair)
  for (const instrument of listed) {
    const market = instrument.kind === 'perp' ? 'swap' : 'spot'
    add(dbKey(instrument, market, instrument.quote, 'hl'), { instrument, exchange: null, market })
  }
  for (const exchange of EXCHANGES)
    for (const instrument of listedElsewhere(world)) {
      const spot = dbKey(instrument, 'spot', 'usdt', exchange.key)
      const swap = dbKey(instrument, 'swap', 'usdt', exchange.key)
      if (instrument.kind === 'perp') add(swap, { instrument, exchange, market: 'swap' })
      add(spot, { instrument, exchange, market: 'spot' })
    }
  return pairs
})

/** dbKeys of the tape's venue by instrument.id. */
export const ownDbKeys = perWorld((world) => {
  const own = [...pairsOf(world)].filter(([, { exchange }]) => exchange === null)
  return new Map(own.map(([key, { instrument }]) => [instrument.id, key]))
})

function dbKey({ base }: InstrumentRow, market: 'swap' | 'spot', quote: string, exchange: string) {
  return `${base}${market === 'swap' ? 'swap' : ''}${quote}:${exchange}`.toLowerCase()
}

/** Perpetuals come before spot, so that an asset with both is derived from the perpetual. */
function listedElsewhere(world: World): InstrumentRow[] {
  const main = world.listed.filter((one) => isElsewhere(world, one))
  return [
    ...main.filter(({ kind }) => kind === 'perp'),
    ...main.filter(({ kind }) => kind === 'spot'),
  ]
}

/** Display names of the markets. */
export function exchangeName(exchange: Exchange | null, language: 'cn' | 'en'): string {
  const names = NAMES[marketKey(exchange)] as Record<'cn' | 'en', string>
  return names[language]
}

/** Key of a market in a dbKey, after the colon; null is the tape's venue. */
export const marketKey = (exchange: Exchange | null) => exchange?.key ?? 'hl'

const NAMES: Record<string, Record<'cn' | 'en', string>> = {
  hl: { en: 'HL', cn: 'HL' },
  binance: { en: 'Binance', cn: '币安' },
  okex: { en: 'OKX', cn: '欧易' },
  bybit: { en: 'Bybit', cn: 'Bybit' },
  gate: { en: 'Gate', cn: '芝麻开门' },
  huobi: { en: 'HTX', cn: '火币' },
  bitget: { en: 'Bitget', cn: 'Bitget' },
}

export interface Exchange {
  /** Key in a dbKey, after the colon. */
  key: string
  /** Mean premium over the venue in hundredths of a basis point: perpetuals, spot. */
  basis: { swap: number; spot: number }
  /** Volatility of that, 1 for the calmest. */
  unrest: number
  /** Standard deviation of the log of a minute's volume that is independent of the venue's. */
  ownVolume: number
  /** Spread in hundredths of a basis point, where the tick allows it. */
  spread: number
  /** Sizes in percent of the venue's. */
  depth: number
  /** Percent of prices near the best one that have orders. */
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

/** Exchanges that list a contract on the coin; null is the venue. */
export const exchangesListing = (world: World, of: InstrumentRow): (Exchange | null)[] =>
  isElsewhere(world, of) ? [null, ...EXCHANGES] : [null]

/**
 * Whether the other exchanges trade a coin: those of the main dex. What the venue lists by an event
 * stays its own, as a new coin has no market that others could follow.
 */
const isElsewhere = (world: World, { dex, coin }: InstrumentRow): boolean =>
  dex === '' && listedMs(world, coin) === undefined

/** Salts of hashed noise by name; they depend on the world's seed. */
export const saltsOf = perWorld(({ meta: { seed } }) => {
  const known = new Map<string, number>()
  return (name: string): number => {
    const salt = known.get(name) ?? randomSource(seed, name).between(0, 2 ** 32 - 1)
    known.set(name, salt)
    return salt
  }
})

/** Motion of an instrument on an exchange, as a perpetual or on its spot market. */
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
      venue: stressOf(world)(of),
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
/** For a coin with the venue's highest leverage. */
const MAJOR_BASIS_SD = 0.8e-4
const HIGHEST_LEVERAGE = 40

/** The venue grants high leverage to the most traded coins, whose prices differ least. */
const basisSd = ({ maxLeverage }: InstrumentRow) =>
  MAJOR_BASIS_SD * (HIGHEST_LEVERAGE / Math.min(HIGHEST_LEVERAGE, Math.max(maxLeverage, 3))) ** 0.7
