import type { Refusal } from '../contract/refusal.ts'
import type { Key } from '../sandbox/tenancy/key.ts'
import type { Answer } from './exchange.ts'

/** What became of a request. */
export interface Outcome {
  answer: Answer
  caller: Key | null
  refusal: Refusal | null
  /** Rules of scenarios that acted. */
  acted?: readonly string[]
}
