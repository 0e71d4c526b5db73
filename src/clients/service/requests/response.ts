/**
 * Reads an answer: the data in its envelope, or the error that it reports (the service's
 * documentation, Conventions).
 */

import { isJsonObject } from '../../../platform/json-object.ts'
import { AnswerError, ServiceError } from '../errors.ts'
import type { Refusal } from './refusal-kind.ts'
import type { OperationCall } from './request.ts'

export interface ReceivedResponse {
  status: number
  /** Of the `Content-Type` header; null where there is none. */
  type: string | null
  /** Of the `Date` header. */
  date: string | null
  /** From the `Retry-After` header, in either form; null where there is none. */
  retryAfterS: number | null
  text: string
  /** Lines of the reason for a refusal, from a stand-in. */
  explained?: readonly string[] | undefined
  /** Removes signatures and the secret from a text, should the service repeat them. */
  redact: (text: string) => string
}

/**
 * The data of an answer. Throws a ServiceError for a refusal in any envelope, and an AnswerError
 * for an answer outside the contract.
 */
export function readResponse(
  { id, isBare }: Pick<OperationCall, 'id' | 'isBare'>,
  received: ReceivedResponse,
): unknown {
  const { status } = received
  const value = parsed(id, received)
  if (isBare && status < 400) return value
  const refusal = refusalOf(value, received)
  if (refusal) throw new ServiceError(id, refusal)
  if (!isJsonObject(value) || !('success' in value || 'code' in value))
    throw unexpectedResponse(id, received, 'no envelope is around the answer')
  return value.data
}

function parsed(id: string, received: ReceivedResponse): unknown {
  try {
    return JSON.parse(received.text)
  } catch {
    throw unexpectedResponse(id, received, 'the answer is not JSON')
  }
}

/** An unknown answer is reported with its status: a proxy's 502 is recognised. */
function unexpectedResponse(
  id: string,
  { status, type, text, retryAfterS, redact }: ReceivedResponse,
  why: string,
): AnswerError {
  const message = `${why} (${status}, ${type ?? 'no content type'})`
  return new AnswerError(id, message, {
    status,
    excerpt: redact(text.slice(0, 500)).slice(0, 200),
    retryAfterS,
  })
}

/** null when it does not refuse. A body of `null` with a status of refusal refuses, too. */
function refusalOf(
  value: unknown,
  { status, retryAfterS, redact, explained }: ReceivedResponse,
): Refusal | null {
  const body = isJsonObject(value) ? value : {}
  const code = String(body.errorCode ?? body.code ?? '')
  const isFine = body.success !== false && SUCCESS_CODES.includes(code)
  if (status < 400 && isFine) return null
  const text = [body.error, body.msg, body.message].find((word) => typeof word === 'string')
  return { status, code, reason: redact(String(text ?? '')), retryAfterS, explained }
}

/** Codes of success: of A, of B with its special cases, none in C. */
const SUCCESS_CODES = ['', '0', '200']
