/** Parsed requests and responses. */

import type { Change } from '../../../src/conformance/lies/lying-transport.ts'
import { isJsonObject, type JsonObject } from '../../../src/conformance/responses.ts'
import type {
  TransportRequest,
  TransportResponse,
} from '../../../src/conformance/target-transport.ts'
import type { Operation } from '../../../src/contract/operation.ts'
import { routed } from './routed.ts'

/** A request to an operation. */
export interface Fetched {
  path: Record<string, string>
  query: URLSearchParams
  /** The JSON body; undefined without one. */
  body: JsonObject | undefined
}

const isFor = ({ id }: Operation, { method, path }: TransportRequest): boolean =>
  routed(method, path)?.operation.id === id

/** Parses a request to an operation. */
export function requestedOf({ method, path, body }: TransportRequest): Fetched {
  return {
    path: { ...routed(method, path)?.params },
    query: new URLSearchParams(path.split('?')[1] ?? ''),
    body: body?.startsWith('{') ? jsonOf(body) : undefined,
  }
}

function jsonOf(text: string): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return isJsonObject(json) ? json : undefined
  } catch {
    return undefined
  }
}

/** Changes how requests to an operation are read; `change` modifies them. */
export const readingOf = (operation: Operation, change: (requested: Fetched) => void): Change => ({
  request: (sent) => {
    if (!isFor(operation, sent)) return sent
    const requested = requestedOf(sent)
    const before = JSON.stringify([requested.path, `${requested.query}`, requested.body])
    change(requested)
    if (JSON.stringify([requested.path, `${requested.query}`, requested.body]) === before)
      return sent
    const prefix = sent.path.slice(0, sent.path.indexOf('/v2/') + 3)
    const path = operation.path.replace(/:(\w+)/g, (_, name) =>
      encodeURIComponent(requested.path[name] ?? ''),
    )
    const body = requested.body === undefined ? {} : { body: JSON.stringify(requested.body) }
    return { method: sent.method, path: `${prefix}${path}?${requested.query}`, ...body }
  },
})

/** Changes responses of an operation. */
export const answeringOf = (
  { id }: { id: string },
  change: (received: TransportResponse, requested: Fetched) => TransportResponse,
): Change => ({
  answer: (received, sent) =>
    routed(sent.method, sent.path)?.operation.id === id
      ? change(received, requestedOf(sent))
      : received,
})

/** Changes bodies of successful responses of an operation. */
export const bodyOf = (
  operation: { id: string },
  change: (body: JsonObject, requested: Fetched) => JsonObject,
): Change =>
  answeringOf(operation, (received, requested) => {
    const json = received.status === 200 ? jsonOf(received.text) : undefined
    if (json === undefined || json.success === false) return received
    if (typeof json.code === 'string' && !['0', '200'].includes(json.code)) return received
    return { ...received, text: JSON.stringify(change(json, requested)) }
  })

/** An operation's refusal of an unreadable request. */
export const refusing = (received: TransportResponse, name: string): TransportResponse => ({
  ...received,
  status: 400,
  text: JSON.stringify({ code: '400', msg: `invalid parameter: ${name}`, data: null }),
})
