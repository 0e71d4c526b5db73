/** Requests and answers taken apart, as changes look at them. */
import { isJsonObject, type JsonObject } from '../../../src/conformance/responses.ts'
import type {
  TransportRequest,
  TransportResponse,
} from '../../../src/conformance/target-transport.ts'
import type { Operation } from '../../../src/contract/operation.ts'
import type { Change } from './change.ts'
import { routed } from './routed.ts'

/** A request to an operation. */
export interface Asked {
  path: Record<string, string>
  query: URLSearchParams
  /** The JSON of the body; undefined without one. */
  body: JsonObject | undefined
}

const isFor = ({ id }: Operation, { method, path }: TransportRequest): boolean =>
  routed(method, path)?.operation.id === id

/** What a request to an operation asks for. */
export function askedOf({ method, path, body }: TransportRequest): Asked {
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

/** Requests to an operation are read otherwise; `change` writes into what is asked. */
export const readingOf = (operation: Operation, change: (asked: Asked) => void): Change => ({
  request: (sent) => {
    if (!isFor(operation, sent)) return sent
    const asked = askedOf(sent)
    const before = JSON.stringify([asked.path, `${asked.query}`, asked.body])
    change(asked)
    if (JSON.stringify([asked.path, `${asked.query}`, asked.body]) === before) return sent
    const prefix = sent.path.slice(0, sent.path.indexOf('/v2/') + 3)
    const path = operation.path.replace(/:(\w+)/g, (_, name) =>
      encodeURIComponent(asked.path[name] ?? ''),
    )
    const body = asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }
    return { method: sent.method, path: `${prefix}${path}?${asked.query}`, ...body }
  },
})

/** Answers of an operation are others. */
export const answeringOf = (
  { id }: { id: string },
  change: (received: TransportResponse, asked: Asked) => TransportResponse,
): Change => ({
  answer: (received, sent) =>
    routed(sent.method, sent.path)?.operation.id === id
      ? change(received, askedOf(sent))
      : received,
})

/** The body of what an operation answers with success is another. */
export const bodyOf = (
  operation: { id: string },
  change: (body: JsonObject, asked: Asked) => JsonObject,
): Change =>
  answeringOf(operation, (received, asked) => {
    const json = received.status === 200 ? jsonOf(received.text) : undefined
    if (json === undefined || json.success === false) return received
    if (typeof json.code === 'string' && !['0', '200'].includes(json.code)) return received
    return { ...received, text: JSON.stringify(change(json, asked)) }
  })

/** What operations answer in place of what they cannot read. */
export const refusing = (received: TransportResponse, name: string): TransportResponse => ({
  ...received,
  status: 400,
  text: JSON.stringify({ code: '400', msg: `invalid parameter: ${name}`, data: null }),
})
