/** How a refusal is sent. */
import type { Operation } from '../../contract/operation.ts'
import type { Refusal } from '../../contract/refusal.ts'
import { refusalForm } from '../../contract/refusal-body.ts'
import { venueRefusal } from '../../contract/venue/refusals.ts'
import type { Sandbox } from '../sandbox.ts'
import { type HttpResponse, jsonResponse } from './http-message.ts'

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
