/**
 * Reading an answer: out of its envelope, or the error that it reports (the service's
 * documentation, Conventions).
 */
import type { OperationCall } from './contract-call.ts'
import { AnswerError, type RefusalDetails, ServiceError } from './errors.ts'

export interface ReceivedResponse {
  status: number
  /** Of the `Content-Type` header; null where there is none. */
  type: string | null
  /** Of the `Retry-After` header. */
  retryAfter: string | null
  text: string
}

/**
 * The data of an answer. Throws a ServiceError where the service refuses, whatever envelope it
 * does so in, and an AnswerError where this is no answer of the service at all.
 */
export function readResponse({ id, isBare }: OperationCall, received: ReceivedResponse): unknown {
  const { status, text } = received
  const value = parsed(id, received)
  if (isBare && status < 400) return value
  if (!isRecord(value)) throw unexpectedResponse(id, received, 'no envelope is around the answer')
  const refusal = refusalOf(value, received)
  if (refusal) throw new ServiceError(id, refusal)
  const isWrapped = 'success' in value || 'code' in value
  if (!isWrapped)
    throw new AnswerError(id, status, 'no envelope is around the answer', excerptOf(text))
  return value.data
}

function parsed(id: string, received: ReceivedResponse): unknown {
  try {
    return JSON.parse(received.text)
  } catch {
    throw unexpectedResponse(id, received, 'the answer is not JSON')
  }
}

/** What is no answer of the service is reported with its status: a proxy's 502 is seen as one. */
function unexpectedResponse(
  id: string,
  { status, type, text }: ReceivedResponse,
  why: string,
): AnswerError {
  return new AnswerError(
    id,
    status,
    `${why} (${status}, ${type ?? 'no content type'})`,
    excerptOf(text),
  )
}

const excerptOf = (text: string) => text.slice(0, 200)

/** null when it does not refuse. */
function refusalOf(
  body: Record<string, unknown>,
  { status, retryAfter }: ReceivedResponse,
): RefusalDetails | null {
  const code = String(body.errorCode ?? body.code ?? '')
  const isFine = body.success !== false && SUCCESS_CODES.includes(code)
  if (status < 400 && isFine) return null
  const text = [body.error, body.msg, body.message].find((value) => typeof value === 'string')
  const waitS = retryAfter === null ? Number.NaN : Number(retryAfter)
  return {
    status,
    code,
    reason: String(text ?? ''),
    retryAfterS: Number.isFinite(waitS) ? waitS : null,
  }
}

/** Codes of success: of A, of B and its oddities, none in C. */
const SUCCESS_CODES = ['', '0', '200']

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
