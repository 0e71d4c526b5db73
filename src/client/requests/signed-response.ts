/** An answer to something signed: what it holds, and what it says of the signature. */
import { AnswerError, ServiceError } from '../errors.ts'
import type { SignatureVerdict, SignedAnswer } from './clock-skew.ts'
import type { OperationCall } from './operation-call.ts'
import { type ReceivedResponse, readResponse } from './response.ts'

export interface SignedResponse extends SignedAnswer {
  /** The data, or throws what `readResponse` throws. */
  read: () => unknown
}

export function signedResponse(
  operation: Pick<OperationCall, 'id' | 'isBare'>,
  received: ReceivedResponse,
): SignedResponse {
  const { date } = received
  try {
    const data = readResponse(operation, received)
    return { date, verdict: 'accepted', read: () => data }
  } catch (error) {
    const read = () => {
      throw error
    }
    return { date, verdict: verdictOf(error), read }
  }
}

/** What is said of load, by whoever stands before the service too, is said unsigned. */
function verdictOf(error: unknown): SignatureVerdict {
  const isRefusal = error instanceof ServiceError || error instanceof AnswerError
  const kind = isRefusal ? error.kind : null
  if (kind === 'signature') return 'refused'
  return kind === null || BEFORE_SIGNATURES.has(kind) ? 'unknown' : 'accepted'
}

const BEFORE_SIGNATURES: ReadonlySet<string> = new Set(['rate', 'unavailable', 'fault'])
