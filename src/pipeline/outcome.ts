import type { Refusal } from '../contract/refusal.ts'
import type { ApiKey } from '../sandbox/tenancy/api-key.ts'
import type { HttpResponse } from './http-message.ts'

/** What became of a request. */
export interface Outcome {
  answer: HttpResponse
  caller: ApiKey | null
  refusal: Refusal | null
  /** Why it could not be done, where the answer does not say it. */
  why?: string | null
  /** Rules of scenarios that acted. */
  faultRules?: readonly string[]
  /** What these went by, where the request does not show it at a glance. */
  note?: string | null
}
