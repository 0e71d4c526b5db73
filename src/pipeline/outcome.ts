import type { Refusal } from '../contract/refusal.ts'
import type { Key } from '../sandbox/tenancy/key.ts'
import type { Answer } from './exchange.ts'

/** What became of a request. */
export interface Outcome {
  answer: Answer
  caller: Key | null
  refusal: Refusal | null
  /** Why it could not be done, where the answer does not say it. */
  why?: string | null
  /** Rules of scenarios that acted. */
  acted?: readonly string[]
  /** What these went by, where the request does not show it at a glance. */
  note?: string | null
}
