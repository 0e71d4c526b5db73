/** An operation and its parameters as an HTTP request. */
import type { Credentials } from '../../../contract/signature.ts'
import { ClientError } from '../errors.ts'

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

/** Options of a single call. */
export interface CallOptions {
  /** Ends the call: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Longest wait for the answer, ms; the client's by default. */
  timeoutMs?: number | undefined
  /** Maximum number of retries of a read; the client's by default. */
  retries?: number | undefined
  /** Whether the answer is checked by its schema; as set for the client by default. */
  checked?: boolean | undefined
}

// Times of answers, in any unit.

/** A larger number is in milliseconds: in seconds it would be after the year 5138. */
const MS_LEAST = 1e11

/**
 * An instant as milliseconds since 1970: from seconds or milliseconds, distinguished by size, as
 * numbers or text, and from ISO 8601 or `YYYY-MM-DD HH:mm:ss`, in UTC. NaN for anything else.
 */
export function instantMs(time: number | string): number {
  const number = typeof time === 'number' ? time : time.trim() === '' ? Number.NaN : Number(time)
  if (!Number.isNaN(number)) return Math.abs(number) < MS_LEAST ? number * 1000 : number
  const text = String(time)
  return Date.parse(/^\d{4}-\d\d-\d\d \d/.test(text) ? `${text.replace(' ', 'T')}Z` : text)
}

/** The properties of an operation that its client needs. */
export interface OperationCall {
  id: string
  method: string
  /** Relative to the prefix. */
  path: string
  hasBody: boolean
  /** Without an envelope around its answer. */
  isBare: boolean
  /** It changes data of the service: never sent twice. */
  changes: boolean
  /** Maximum number of answered addresses; the rest is cut silently. */
  addressesMax: number | null
}

/**
 * The operations of a group, each in a line: `POST /hl/traders/accounts body addresses=2000`. `C`
 * has their types.
 */
export type CallGroup<C> = { readonly [N in keyof C]: string } & { readonly [methods]?: C }

/** The methods of a group. */
export type CallsOf<G> = G extends { readonly [methods]?: infer C } ? NonNullable<C> : never

/** The input of an operation without parameters. */
export type NoInput = Record<never, never>

/** Exists in types only. */
declare const methods: unique symbol

/** Parses the line of an operation. */
export function operationCall(id: string, line: string): OperationCall {
  const [method = '', path = '', ...words] = line.split(' ')
  const addresses = /addresses=(\d+)/.exec(line)?.[1]
  return {
    id,
    method,
    path,
    hasBody: words.includes('body'),
    isBare: words.includes('bare'),
    changes: words.includes('changes'),
    addressesMax: addresses === undefined ? null : Number(addresses),
  }
}
