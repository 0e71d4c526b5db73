/** Questions of identities as requests that a client sends. */

import { CHANNELS, OPERATIONS } from '../catalogue.ts'
import { VENUE_INFO_TYPES } from '../info/index.ts'
import { operationPath, socketPath } from '../paths.ts'
import type { InfoBody, OperationQuestion, Question, SnapshotQuestion } from './identity.ts'

/** A request; the path is relative to the documented prefix. */
export interface QuestionRequest {
  method: 'GET' | 'POST'
  path: string
  query?: Record<string, string>
  body?: unknown
}

/**
 * The request of a question to an operation or to `POST /hl/info`.
 *
 * @throws {Error} for an operation that there is not
 */
export function questionRequest(question: InfoBody | OperationQuestion): QuestionRequest {
  if (!('operation' in question)) return { method: 'POST', path: '/hl/info', body: question }
  const { operation, path = {}, query, body } = question as OperationQuestion
  const declared = OPERATION_BY_ID.get(operation)
  if (!declared) throw new Error(`there is no operation "${operation}"`)
  const { method, path: pattern } = declared
  return {
    method: method as 'GET' | 'POST',
    path: pattern.replace(/:(\w+)/g, (_, name) => encodeURIComponent(path[name] ?? '')),
    ...(query ? { query: { ...query } } : {}),
    ...(body === undefined ? {} : { body }),
  }
}

/** A request as it is written down: its whole path with its query, the signature left out. */
export interface ShownRequest {
  /** `subscribe`: `body` is the subscription that a socket of the path is sent. */
  method: 'GET' | 'POST' | 'subscribe'
  path: string
  body?: unknown
}

/** A question as a client would put it; a type of the venue alone, on the raw profile. */
export function shownRequest(question: Question): ShownRequest {
  if ('channel' in question) {
    const { channel, subscription } = question as SnapshotQuestion
    const declared = CHANNELS.find(({ id }) => id === channel)
    const path = declared ? socketPath(declared.dialect) : ''
    return { method: 'subscribe', path, body: subscription }
  }
  const { method, path, query, body } = questionRequest(question)
  const isVenue = !('operation' in question) && VENUE_ONLY.has((question as InfoBody).type)
  const whole = isVenue ? '/info' : operationPath({ path })
  const text = query ? `?${new URLSearchParams(query)}` : ''
  return { method, path: whole + text, ...(body === undefined ? {} : { body }) }
}

const OPERATION_BY_ID = new Map(OPERATIONS.map((operation) => [operation.id, operation]))

const VENUE_ONLY = new Set(
  VENUE_INFO_TYPES.filter(({ profile }) => profile === 'raw').map(({ type }) => type),
)
