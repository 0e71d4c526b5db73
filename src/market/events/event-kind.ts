/** What a kind of market event declares; each kind has a file of its own beside this one. */
import type { Static, TObject } from '@sinclair/typebox'

/** One kind of market event: its fields, how long it acts, and what it cannot go together with. */
export interface EventKind {
  kind: string
  /** What the market does, in a sentence. */
  about: string
  /** Its fields besides `kind`. */
  fields: TObject
  example: object
  /** How long it acts, s. */
  lengthS: (event: never) => number
  /** What of its fields does not go together, and the field; undefined when they do. */
  flaw?: (event: never) => FieldFlawText | undefined
  /** Of what the market decides, as the market has it. */
  settled?: (event: never, standing: CoinStanding) => object
  /** What it asks of the market that it acts on; undefined when that is there. */
  shortage?: (event: never, standing: CoinStanding) => FieldFlawText | undefined
  /** Other kinds that cannot act at the same time, and why. */
  excludes: readonly Exclusion[]
}

/** A field, and what is wrong with it. */
export interface FieldFlawText {
  field: string
  message: string
}

/** A kind that cannot act while this one does. */
export interface Exclusion {
  kind: string
  /** Whether it is excluded on every coin, or on those that this one acts on. */
  of: 'all coins' | 'same coin'
  /** Whatever lies between the two. */
  ever?: true
  /** Only with this; with any when it is left out. */
  when?: (event: never, other: never) => boolean
  why: string
}

/** What stands in a coin's market as of an instant; money in dollars. */
export interface CoinStanding {
  coin: string
  kind: 'perp' | 'spot'
  /** 0 for a spot pair. */
  openInterestUsd: number
  /** All that is bid and asked in its book. */
  bidUsd: number
  askUsd: number
  /** Traded in the 24 hours before. */
  dayVolumeUsd: number
}

interface Acts<E> {
  lengthS: (event: E) => number
  flaw?: (event: E) => FieldFlawText | undefined
  settled?: (event: E, standing: CoinStanding) => object
  shortage?: (event: E, standing: CoinStanding) => FieldFlawText | undefined
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

/** A declaration that knows of which kind it is. */
export interface DeclaredKind<K extends string, S extends TObject> extends EventKind {
  kind: K
  fields: S
}

/** The events of a kind, as they are given. */
export type EventOf<D> = D extends DeclaredKind<infer K, infer S> ? { kind: K } & Static<S> : never
