import type { Method } from '../contract/operation.ts'
import { PREFIXES } from '../contract/prefixes.ts'
import { type Credentials, credentials } from '../contract/signature.ts'
import type { KeyRole, TargetKey } from './target.ts'

/** A case's request, its signer and signature. */
export interface ProbeRequest extends RequestText {
  /** GET by default. */
  method?: Method
  /** Signer; default `full`. */
  signedBy?: KeyRole | TargetKey
  /** Age of the signature, s. */
  ageS?: number
  /** A fixed nonce. */
  nonce?: string
  /** Replaces the right credentials. Called several times: it must be pure. */
  tamper?: (right: Credentials, key: TargetKey) => Partial<Credentials>
  /** Place of the credentials; default the query. */
  signedIn?: 'query' | 'body' | 'nowhere'
  /** A rate limit is an expected response. */
  allowRateLimit?: true
  /** Sent without waiting for a turn: the rate itself is judged. */
  atOnce?: true
}

export interface ProbeExchange {
  method: Method
  path: string
  status: number
  contentType: string
  /** Retry-After, if any. */
  retryAfter?: string
  text: string
  /** undefined for what is not JSON. */
  json: unknown
}

/** Present time for signatures, text for nonces, and waiting. */
export interface SigningSource {
  nowS(): number
  nonce(): string
  wait?(ms: number): Promise<void>
}

/** The credentials of a request; the right ones unless it replaces them. */
export function signedParameters(
  key: TargetKey,
  { ageS = 0, nonce, tamper }: Pick<ProbeRequest, 'ageS' | 'nonce' | 'tamper'>,
  signing: SigningSource,
): Partial<Credentials> {
  const timestampS = signing.nowS() - ageS
  const right = credentials({ ...key, nonce: nonce ?? signing.nonce(), timestampS })
  return tamper?.(right, key) ?? right
}

// A probe's request as sent.

/** The request without credentials. */
interface RequestText {
  /** Below the prefix: `/hl/tickers`. */
  path: string
  prefix?: string
  query?: Readonly<Record<string, string | number | boolean | readonly string[]>>
  /** A value that becomes JSON, or text as it is. */
  body?: unknown
}

/** The path with its query, including credentials there. */
export function pathOf({ path, prefix, query }: RequestText, signed: Partial<Credentials>): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    for (const one of Array.isArray(value) ? value : [value]) given.append(name, String(one))
  for (const [name, value] of Object.entries(signed)) given.append(name, value)
  const text = given.toString()
  return `${prefix ?? PREFIXES[0]}${path}${text === '' ? '' : `?${text}`}`
}

/** The body, including credentials there. */
export function bodyOf({ body }: RequestText, signed: Partial<Credentials>): string | undefined {
  if (body === undefined || typeof body === 'string') return body
  return JSON.stringify(Array.isArray(body) ? body : { ...(body as object), ...signed })
}
