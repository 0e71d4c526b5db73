/** Which contract a symbol names. */

import type { InstrumentRow } from '../schema/schema.ts'
import { perListing } from '../world/per-world.ts'
import type { World } from '../world/world.ts'
import type { Exchange } from './exchanges.ts'
import { type Pair, pairsOf } from './pairs.ts'

export interface Contract {
  instrument: InstrumentRow
  /** null for the tape's own venue. */
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
