import type { Refusal } from '../../contract/refusal.ts'
import type { ApiKey } from '../tenancy/api-key.ts'
import type { HttpResponse } from './http-message.ts'

/** What became of a request. */
export interface Outcome {
  answer: HttpResponse
  caller: ApiKey | null
  refusal: Refusal | null
  /** Why it could not be done, where the answer does not say it. */
  why?: string | null
  /** Names of the scenario rules that acted. */
  faultRules?: readonly string[]
  /** How much the service's clock seems ahead, ms. */
  clockAheadMs?: number
  /** Which magic value they acted on, where the request has other values too. */
  note?: string | null
}
