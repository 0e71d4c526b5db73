/** A request of a probe as it goes over the wire. */

import { PREFIXES } from '../contract/prefixes.ts'
import type { Credentials } from '../contract/signature.ts'

/** What is asked for, without who asks. */
export interface RequestText {
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
