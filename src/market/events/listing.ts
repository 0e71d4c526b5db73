/** A coin begins to be traded. */

import { Type } from '@sinclair/typebox'
import { FieldFlaw, type FieldPath } from '../../contract/fields/field-flaw.ts'
import { type CoinStanding, type EventOf, eventKind } from './event-kind.ts'

/** Stands for the first of the prepared coins that a market does not have. */
export const NEWCOMER = 'newcomer'

export const listing = eventKind({
  kind: 'listing',
  about:
    'A new coin is listed as a perpetual. Before that, no answer contains it; from then on it ' +
    'has a book, trades and candles. Its first hour is more volatile than later ones.',
  fields: Type.Object(
    {
      coin: Type.String({
        pattern: '^[A-Za-z0-9]{2,12}$',
        description:
          'name of the new coin, 2 to 12 letters and digits; `newcomer` is the first prepared ' +
          'one that the market does not have',
      }),
      px: Type.Optional(
        Type.Number({
          minimum: 0.0001,
          maximum: 1_000_000,
          description: 'first price, dollars; prepared coins have one',
        }),
      ),
      dayUsd: Type.Optional(
        Type.Number({
          minimum: 100_000,
          maximum: 1e10,
          description: 'turnover of a usual day, dollars; 20000000 by default',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  example: { kind: 'listing', coin: 'NOVA', px: 0.42 },
  lengthS: () => FIRST_HOUR_S,
  excludes: [{ kind: 'listing', of: 'same coin', ever: true, why: 'a coin is listed once' }],
})

/** What is prepared: names that no venue has, and their prices in dollars. */
const PREPARED: ReadonlyMap<string, number> = new Map([
  ['NOVA', 0.42],
  ['ORBT', 3.15],
  ['KITE', 0.0875],
  ['VEGA', 12.6],
  ['LUMO', 0.0214],
  ['TERN', 58.4],
])
const USUAL_DAY_USD = 20_000_000
const FIRST_HOUR_S = 3600

type GivenListing = EventOf<typeof listing>

/** A listing with everything that it is made from. */
export type SettledListing = Required<GivenListing>

/** The first prepared coin that a market does not have; undefined when it has all. */
export function newcomerOf(standings: readonly CoinStanding[]): string | undefined {
  return [...PREPARED.keys()].find((name) => !isKnown(name, standings))
}

/** The listing for a market that does not have the coin; a FieldFlaw where it does. */
export function settledListing(
  { kind, coin: given, px, dayUsd = USUAL_DAY_USD }: GivenListing,
  standings: readonly CoinStanding[],
  at: FieldPath,
): SettledListing {
  const coin = given === NEWCOMER ? newcomerOf(standings) : given
  if (coin === undefined)
    throw new FieldFlaw(
      [...at, 'coin'],
      `is ${NEWCOMER}, and the market has all prepared coins already: give a name and px`,
    )
  if (isKnown(coin, standings))
    throw new FieldFlaw([...at, 'coin'], `is ${coin}, which is traded already: name a new one`)
  const startPx = px ?? PREPARED.get(coin)
  if (startPx === undefined)
    throw new FieldFlaw(
      [...at, 'px'],
      `is missing: ${coin} is none of the prepared coins ${[...PREPARED.keys()].join(', ')}, so ` +
        'say at which price it begins',
    )
  return { kind, coin, px: startPx, dayUsd }
}

/** Names that differ in their case only would be taken for one another. */
function isKnown(name: string, standings: readonly CoinStanding[]): boolean {
  return standings.some(({ coin }) => coin.toLowerCase() === name.toLowerCase())
}
