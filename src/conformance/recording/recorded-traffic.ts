/** What a recording has of a client's traffic, as far as it can be judged. */

import type { Method } from '../../contract/operation.ts'
import { splitSandboxBase } from '../../contract/paths.ts'
import { PREFIXES } from '../../contract/prefixes.ts'
import { CREDENTIAL_NAMES } from '../../contract/signature.ts'
import { isJsonObject, parsedJson } from '../parsed-json.ts'
import type { ProbeExchange } from '../probe-request.ts'

/** A request and its answer. */
export interface RecordedExchange {
  /** Its number on the tape. */
  seq: number
  method: string
  /** Path and query. */
  url: string
  requestBody: string
  status: number
  headers: Readonly<Record<string, string>>
  responseBody: string
}

/** A message on a socket. */
export interface RecordedMessage {
  seq: number
  connection: number
  /** in: the client sent it. */
  direction: 'in' | 'out'
  text: string
}

/** What was asked for, without who asked. */
export interface Asked {
  method: Method
  /** Below the prefix. */
  path: string
  query: [name: string, value: string][]
  /** JSON of the body without credentials; undefined for none. */
  body: unknown
}

/** What a request of a recording asked for; null where it is below no prefix of the contract. */
export function askedFor(method: string, url: string, body = ''): Asked | null {
  const [path = '', ...rest] = url.split('?')
  const below = splitSandboxBase(path).path
  const prefix = PREFIXES.find((one) => below.startsWith(`${one}/`))
  if (prefix === undefined) return null
  const query = [...new URLSearchParams(rest.join('?'))].filter(([name]) => !isCredential(name))
  return {
    method: method as Method,
    path: below.slice(prefix.length),
    query,
    body: withoutCredentials(parsedJson(body)),
  }
}

/** An exchange as the suite judges one. */
export function probeExchange(
  { method, path }: Asked,
  { status, headers, responseBody: text }: RecordedExchange,
): ProbeExchange {
  const contentType = headers['content-type'] ?? ''
  return { method, path, status, contentType, text, json: parsedJson(text) }
}

const isCredential = (name: string): boolean =>
  (CREDENTIAL_NAMES as readonly string[]).includes(name)

function withoutCredentials(body: unknown): unknown {
  if (!isJsonObject(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isCredential(name)))
}
