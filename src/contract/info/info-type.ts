/**
 * One `type` of `POST /info`: what its body holds besides, what it answers. The answer is the
 * perpetual venue's own, wrapped in envelope B.
 */
import type { Slices } from '../../clock/turns.ts'
import type { Facts } from '../facts.ts'
import type { Refusal } from '../refusal.ts'
import type { Static, TObject, TSchema } from '../schema.ts'

interface Declaration<R extends TObject, D extends TSchema> {
  type: string
  /** Answered by sandboxes of this profile only: the service itself does not know the type. */
  profile?: 'raw'
  title: string
  /** How many rows are given at most. */
  most?: number
  request: R
  data: D
  examples: Record<string, unknown>[]
}

/** A type as other modules see it. */
export interface InfoType extends Declaration<TObject, TSchema> {
  answer: (request: never, facts: Facts, most: number) => unknown
}

/**
 * Declares a type; its `answer` names one question put to the facts, for `most` rows at most, and
 * may be given in slices.
 */
export function infoType<R extends TObject, D extends TSchema>(
  declaration: Declaration<R, D> & {
    answer: (
      request: Static<R>,
      facts: Facts,
      most: number,
    ) => Static<D> | Refusal<'invalid'> | Slices<Static<D>>
  },
): InfoType {
  return declaration as unknown as InfoType
}
