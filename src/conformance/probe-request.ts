import type { Method } from '../contract/operation.ts'
import { PREFIXES } from '../contract/prefixes.ts'
import { type Credentials, credentials } from '../contract/signature.ts'
import type { KeyRole, TargetKey } from './target.ts'

/** What a case asks for, by whom it is signed and how. */
export interface ProbeRequest extends RequestText {
  /** GET unless given. */
  method?: Method
  /** Who signs; `full` unless given. */
  signedBy?: KeyRole | TargetKey
  /** How old the signature is, s. */
  ageS?: number
  /** In place of one of its own. */
  nonce?: string
  /** What is sent in place of the right credentials. Asked for more than once: it keeps nothing. */
  tamper?: (right: Credentials, key: TargetKey) => Partial<Credentials>
  /** Where the credentials stand; in the query unless given. */
  signedIn?: 'query' | 'body' | 'nowhere'
  /** That the caller has asked too often is an answer like any other. */
  allowRateLimit?: true
  /** It does not wait for its turn: what is looked at is how often one may ask. */
  atOnce?: true
}

export interface ProbeExchange {
  method: Method
  path: string
  status: number
  contentType: string
  /** When to ask again, where the answer message so. */
  retryAfter?: string
  text: string
  /** undefined for what is not JSON. */
  json: unknown
}

/** Present time for signatures, text for nonces, and how to wait. */
export interface SigningSource {
  nowS(): number
  nonce(): string
  wait?(ms: number): Promise<void>
}

/** The credentials of a request; the right ones unless it says otherwise. */
export function signedParameters(
  key: TargetKey,
  { ageS = 0, nonce, tamper }: Pick<ProbeRequest, 'ageS' | 'nonce' | 'tamper'>,
  signing: SigningSource,
): Partial<Credentials> {
  const timestampS = signing.nowS() - ageS
  const right = credentials({ ...key, nonce: nonce ?? signing.nonce(), timestampS })
  return tamper?.(right, key) ?? right
}

// A request of a probe as it goes over the wire.

/** What is asked for, without who asks. */
interface RequestText {
  /** Below the prefix: `/hl/tickers`. */
  path: string
  prefix?: string
  query?: Readonly<Record<string, string | number | boolean | readonly string[]>>
  /** A value that becomes JSON, or text as it is. */
  body?: unknown
}

/** The path with its query, in which credentials may stand. */
export function pathOf({ path, prefix, query }: RequestText, signed: Partial<Credentials>): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    for (const one of Array.isArray(value) ? value : [value]) given.append(name, String(one))
  for (const [name, value] of Object.entries(signed)) given.append(name, value)
  const text = given.toString()
  return `${prefix ?? PREFIXES[0]}${path}${text === '' ? '' : `?${text}`}`
}

/** The body, in which credentials may stand. */
export function bodyOf({ body }: RequestText, signed: Partial<Credentials>): string | undefined {
  if (body === undefined || typeof body === 'string') return body
  return JSON.stringify(Array.isArray(body) ? body : { ...(body as object), ...signed })
}
