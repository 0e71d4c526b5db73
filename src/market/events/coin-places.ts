/** Coins by their place in the market, for those who do not know which market it will be. */
import type { CoinStanding } from './event-kind.ts'
import { NEWCOMER, newcomerOf } from './listing.ts'

/** Where in the list of perpetuals by turnover; a market without them has its spot pairs. */
const PLACES: ReadonlyMap<string, number> = new Map([
  ['busiest', 0],
  ['quietest', -1],
])

/** Whether a name is that of a place; no coin is called so. */
export const isPlaceOfCoin = (name: string): boolean => PLACES.has(name) || name === NEWCOMER

/** The market at a place; undefined for another name, and without a market. */
export function coinOfPlace(
  name: string,
  standings: readonly CoinStanding[],
): CoinStanding | undefined {
  const index = PLACES.get(name)
  if (index === undefined) return undefined
  const perps = standings.filter(({ kind }) => kind === 'perp')
  const among = perps.length > 0 ? perps : standings
  return among.toSorted((a, b) => b.dayVolumeUsd - a.dayVolumeUsd).at(index)
}

/** The coin at a place, which for `newcomer` is not there yet; undefined for another name. */
export const nameAtPlace = (
  name: string,
  standings: readonly CoinStanding[],
): string | undefined =>
  name === NEWCOMER ? newcomerOf(standings) : coinOfPlace(name, standings)?.coin
