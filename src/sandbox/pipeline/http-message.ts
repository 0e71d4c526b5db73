/** A request and an answer, apart from what carries them. */
import { splitSandboxBase } from '../../contract/paths.ts'

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
