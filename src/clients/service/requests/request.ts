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

/** What may be said of a single call. */
export interface CallOptions {
  /** Ends the call: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Longest wait for the answer, ms; that of the client when left out. */
  timeoutMs?: number | undefined
  /** How often a read is asked again; that of the client when left out. */
  retries?: number | undefined
  /** Whether the answer is checked by its schema; as the client does when left out. */
  checked?: boolean | undefined
}

// Times of answers, whatever their unit.

/** From here on a number is of milliseconds: in seconds it would be the year 5138. */
const MS_LEAST = 1e11

/**
 * An instant as milliseconds since 1970: of seconds or milliseconds, told apart by their size, as
 * numbers or as text, and of ISO 8601 or `YYYY-MM-DD HH:mm:ss`, in UTC. NaN for anything else.
 */
export function instantMs(time: number | string): number {
  const number = typeof time === 'number' ? time : time.trim() === '' ? Number.NaN : Number(time)
  if (!Number.isNaN(number)) return Math.abs(number) < MS_LEAST ? number * 1000 : number
  const text = String(time)
  return Date.parse(/^\d{4}-\d\d-\d\d \d/.test(text) ? `${text.replace(' ', 'T')}Z` : text)
}

/** What the client has to know of an operation to ask for it. */
export interface OperationCall {
  id: string
  method: string
  /** Relative to the prefix. */
  path: string
  hasBody: boolean
  /** Without an envelope around its answer. */
  isBare: boolean
  /** It changes what the service keeps: never sent twice. */
  changes: boolean
  /** So many addresses of its body are answered; the rest is cut without a word. */
  addressesMax: number | null
}

/**
 * The operations of a group, each in a line: `POST /hl/traders/accounts body addresses=2000`.
 * `C` has their types.
 */
export type CallGroup<C> = { readonly [N in keyof C]: string } & { readonly [methods]?: C }

/** The methods of a group. */
export type CallsOf<G> = G extends { readonly [methods]?: infer C } ? NonNullable<C> : never

/** What an operation without parameters takes. */
export type NoInput = Record<never, never>

/** Known to types only. */
declare const methods: unique symbol

/** An operation out of its line. */
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
