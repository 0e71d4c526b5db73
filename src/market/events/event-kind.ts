/** Declaration of a kind of market event. */
import { type Static, type TObject, Type } from '@sinclair/typebox'
import { FieldFlaw, type FieldPath } from '../../contract/fields/field-check.ts'

/** One kind of market event: its fields, duration, and exclusions. */
export interface EventKind {
  kind: string
  /** Effect on the market, in a sentence. */
  about: string
  /** Its fields besides `kind`. */
  fields: TObject
  example: object
  /** Duration, s. */
  lengthS: (event: never) => number
  /** An inconsistent field with its reason; undefined for none. */
  flaw?: (event: never) => FieldFlawText | undefined
  /** Fills in values that depend on the market. */
  settled?: (event: never, standing: LiquiditySnapshot) => object
  /** A requirement that the market does not meet; undefined for none. */
  shortage?: (event: never, standing: LiquiditySnapshot) => FieldFlawText | undefined
  /** Kinds that cannot act at the same time, with reasons. */
  excludes: readonly Exclusion[]
}

/** A field, and what is wrong with it. */
export interface FieldFlawText {
  field: string
  message: string
}

/** A kind that cannot act during this one. */
export interface Exclusion {
  kind: string
  /** Whether it is excluded on every coin, or on the coins of this one. */
  of: 'all coins' | 'same coin'
  /** At any distance in time. */
  ever?: true
  /** Condition; always excluded when left out. */
  when?: (event: never, other: never) => boolean
  why: string
}

/** Liquidity of a coin's market at an instant; money in dollars. */
export interface LiquiditySnapshot {
  coin: string
  kind: 'perp' | 'spot'
  /** 0 for a spot pair. */
  openInterestUsd: number
  /** Total value of its book. */
  bidUsd: number
  askUsd: number
  /** Turnover of the last 24 hours. */
  dayVolumeUsd: number
  /** Whether only its prices are known: it has no market. */
  isPriceOnly?: boolean
}

interface Acts<E> {
  lengthS: (event: E) => number
  flaw?: (event: E) => FieldFlawText | undefined
  settled?: (event: E, standing: LiquiditySnapshot) => object
  shortage?: (event: E, standing: LiquiditySnapshot) => FieldFlawText | undefined
}

/** Declares a kind. */
export function eventKind<const K extends string, S extends TObject>(
  declared: Omit<EventKind, 'kind' | 'fields' | 'example' | keyof Acts<never>> & {
    kind: K
    fields: S
    example: { kind: K } & Static<S>
  } & Acts<Static<S>>,
): DeclaredKind<K, S> {
  return declared as unknown as DeclaredKind<K, S>
}

/** A declaration with its kind. */
export interface DeclaredKind<K extends string, S extends TObject> extends EventKind {
  kind: K
  fields: S
}

/** Events of a kind as given. */
export type EventOf<D> = D extends DeclaredKind<infer K, infer S> ? { kind: K } & Static<S> : never

// The listing of a new coin.

/** Placeholder for the first of the prepared coins that a market does not have. */
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

/** Prepared coins: names that no venue has, and their prices in dollars. */
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

/** A listing with all its parameters. */
export type SettledListing = Required<GivenListing>

/** The first prepared coin that a market does not have; undefined when it has all. */
export function newcomerOf(standings: readonly LiquiditySnapshot[]): string | undefined {
  return [...PREPARED.keys()].find((name) => !isKnown(name, standings))
}

/** The listing for a market that does not have the coin; a FieldFlaw where it does. */
export function settledListing(
  { kind, coin: given, px, dayUsd = USUAL_DAY_USD }: GivenListing,
  standings: readonly LiquiditySnapshot[],
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

/** Names that differ only in case would be confused. */
function isKnown(name: string, standings: readonly LiquiditySnapshot[]): boolean {
  return standings.some(({ coin }) => coin.toLowerCase() === name.toLowerCase())
}
