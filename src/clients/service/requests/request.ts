/** An operation and its parameters as an HTTP request. */
import type { Credentials } from '../../../contract/signature.ts'
import { ClientError } from '../errors.ts'
import type { OperationCall } from './operation-call.ts'

/** Parameters as a caller gives them. */
export interface CallParameters {
  path?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

export interface OutgoingRequest {
  method: string
  /** Relative to the prefix, with its query. */
  target: string
  body?: string
  headers: Record<string, string>
}

/** The request of an operation, signed in its query. */
export function requestOf(
  operation: OperationCall,
  given: CallParameters,
  signature: Credentials,
): OutgoingRequest {
  const query = new URLSearchParams({ ...signature })
  for (const [name, value] of Object.entries(given.query ?? {}))
    if (value !== undefined && value !== null) query.set(name, String(value))
  const sent = { method: operation.method, target: `${pathOf(operation, given)}?${query}` }
  if (!operation.hasBody) return { ...sent, headers: {} }
  const headers = { 'content-type': 'application/json' }
  return { ...sent, headers, body: JSON.stringify(given.body ?? {}) }
}

function pathOf({ id, path }: OperationCall, { path: parts = {} }: CallParameters): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = parts[name]
    if (value === undefined || value === null || value === '')
      throw new ClientError(id, `path.${name} is missing`)
    return encodeURIComponent(String(value))
  })
}
