/** A request and an answer, apart from what carries them. */

import type { Operation } from '../../contract/operation.ts'
import { splitSandboxBase } from '../../contract/paths.ts'
import type { Refusal } from '../../contract/refusal.ts'
import { refusalForm } from '../../contract/refusal-body.ts'
import { venueRefusal } from '../../contract/venue/refusals.ts'
import type { Sandbox } from '../sandbox.ts'
import type { ApiKey } from '../tenancy/api-key.ts'

export interface HttpRequest {
  method: string
  /** As it was sent, without the query. */
  path: string
  /** Parameters of the path, decoded. */
  params: Readonly<Record<string, string>>
  /** The query string, without `?`. */
  query: string
  /** The body as text; empty for none. */
  body: string
  /** The sandbox named in the path, if any. */
  sandbox?: string | undefined
}

/** A request of which nothing more is known. */
export function bareRequest(method: string, fullPath: string, query: string): HttpRequest {
  const { path, sandbox } = splitSandboxBase(fullPath)
  return { method, path, params: {}, query, body: '', sandbox }
}

export interface HttpResponse {
  status: number
  contentType: string
  body: string
  /** Further headers. */
  headers?: Record<string, string>
  /** How it is delivered, when a scenario changes that. */
  delivery?: ResponseDelivery
}

/** What the transport does with an answer besides sending it. */
export interface ResponseDelivery {
  /** Not sent before this. */
  ready?: Promise<void>
  /** Where the connection is lost. */
  drop?: 'before' | 'middle' | 'after'
  /** The body in pieces, each when its time has come. */
  chunks?: () => AsyncIterable<Uint8Array>
}

/** A JSON answer. */
export const jsonResponse = (
  status: number,
  body: string,
  headers?: Record<string, string>,
): HttpResponse => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body,
  ...(headers ? { headers } : {}),
})

/** A query string as a record; of a name that comes twice the first counts. */
export function parseQuery(query: string): Record<string, string> {
  const read: Record<string, string> = Object.create(null)
  if (query === '') return read
  for (const [name, value] of new URLSearchParams(query)) read[name] ??= value
  return read
}

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

// How a refusal is sent.

/** A refusal under the sandbox's answers to the open questions. */
export function refusalResponse(
  refusal: Refusal,
  sandbox?: Sandbox,
  operation?: Operation,
): HttpResponse {
  const { status, body } = refusalForm(refusal, sandbox?.answers, operation)
  return jsonResponse(status, body, refusalHeaders(refusal, sandbox))
}

/** The same by an operation, in the venue's words for the venue's own. */
export function operationRefusalResponse(
  operation: Operation,
  refusal: Refusal,
  sandbox: Sandbox,
): HttpResponse {
  const native = operation.profile === 'raw' ? venueRefusal(refusal) : null
  return native ?? refusalResponse(refusal, sandbox, operation)
}

function refusalHeaders(refusal: Refusal, sandbox?: Sandbox): Record<string, string> | undefined {
  if (refusal.refused === 'method') return { allow: refusal.allowed.join(', ') }
  if (refusal.refused !== 'rate' && refusal.refused !== 'quota') return undefined
  const mode = sandbox?.answers[refusal.refused === 'rate' ? 'over-rate' : 'over-quota']
  return mode === 'retry-after' ? { 'retry-after': String(refusal.retryAfterS) } : undefined
}
