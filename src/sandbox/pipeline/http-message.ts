/** Requests and responses, independent of the transport. */

import type { Operation } from '../../contract/operation.ts'
import { splitSandboxBase } from '../../contract/paths.ts'
import type { Refusal } from '../../contract/refusal.ts'
import { refusalForm } from '../../contract/refusal-forms.ts'
import { venueRefusal } from '../../contract/venue.ts'
import type { Sandbox } from '../sandbox.ts'
import type { SignatureDiagnosis } from '../signature-diagnosis.ts'
import type { ApiKey } from '../tenancy/api-key.ts'

export interface HttpRequest {
  method: string
  /** The path as sent, without the query. */
  path: string
  /** Parameters of the path, decoded. */
  params: Readonly<Record<string, string>>
  /** The query string, without `?`. */
  query: string
  /** The body as text; empty for none. */
  body: string
  /** Its header, null without one; undefined where requests have no headers. */
  contentType?: string | null
  /** The sandbox named in the path, if any. */
  sandbox?: string | undefined
}

/** A request of which only method, path and query are known. */
export function bareRequest(method: string, fullPath: string, query: string): HttpRequest {
  const { sandbox } = splitSandboxBase(fullPath)
  return { method, path: fullPath, params: {}, query, body: '', sandbox }
}

export interface HttpResponse {
  status: number
  contentType: string
  body: string
  /** Additional headers. */
  headers?: Record<string, string>
  /** How it is delivered, when a scenario changes that. */
  delivery?: ResponseDelivery
}

/** How the transport delivers a response, where a scenario changes that. */
export interface ResponseDelivery {
  /** The earliest time to send it. */
  ready?: Promise<void>
  /** Where the connection is lost. */
  drop?: 'before' | 'middle' | 'after'
  /** The body in timed pieces. */
  chunks?: () => AsyncIterable<Uint8Array>
}

/** A JSON response. */
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

/** Parses a query string; of a repeated name the first counts. */
export function parseQuery(query: string): Record<string, string> {
  const read: Record<string, string> = Object.create(null)
  if (query === '') return read
  // The runtime's own parser takes several times as long.
  if (UNUSUAL_QUERY.test(query)) {
    for (const [name, value] of new URLSearchParams(query)) read[name] ??= value
    return read
  }
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = at === -1 ? pair : pair.slice(0, at)
    read[decodedPart(name)] ??= at === -1 ? '' : decodedPart(pair.slice(at + 1))
  }
  return read
}

/** Other than ASCII with escapes of ASCII. */
const UNUSUAL_QUERY = /^\?|[^\x20-\x7e]|\+|%(?![0-7][\dA-Fa-f])/

const decodedPart = (text: string) => (text.includes('%') ? decodeURIComponent(text) : text)

/** The outcome of a request. */
export interface Outcome {
  answer: HttpResponse
  caller: ApiKey | null
  refusal: Refusal | null
  /** Why it could not be served, where the response does not say so. */
  why?: string | null
  /** Names of the scenario rules that acted; whether one of them gave the refusal. */
  faultRules?: readonly string[]
  isByRule?: boolean
  /** The likely mistake in a refused signature; null where it was not looked for. */
  diagnosis?: SignatureDiagnosis | null
  /** How far the service's clock seems ahead, ms. */
  clockAheadMs?: number
  /** The magic value that acted, where the request has other values too. */
  note?: string | null
}

// Responses of refusals.

/** The response of a refusal, under the sandbox's answers to the open questions. */
export function refusalResponse(
  refusal: Refusal,
  sandbox?: Sandbox,
  operation?: Operation,
): HttpResponse {
  const { status, body } = refusalForm(refusal, sandbox?.answers, operation)
  return jsonResponse(status, body, refusalHeaders(refusal, sandbox))
}

/** The response of an operation's refusal, in the venue's form for the venue's operations. */
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
