/** What is sent and received as text. */
import { PREFIXES } from '../contract/index.ts'
import type { Credentials } from '../contract/signature.ts'

interface Asked {
  path: string
  prefix?: string
  query?: Readonly<Record<string, string | number | boolean | readonly string[]>>
}

/** Prefix, path and query, with the credentials that stand in it. */
export function pathText({ path, prefix, query }: Asked, signed: Partial<Credentials>): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    for (const one of Array.isArray(value) ? value : [value]) given.append(name, String(one))
  for (const [name, value] of Object.entries(signed)) given.append(name, value)
  const text = given.toString()
  return `${prefix ?? PREFIXES[0]}${path}${text === '' ? '' : `?${text}`}`
}

/** A body with the credentials that stand in it; text stays as it is. */
export function bodyText(body: unknown, signed: Partial<Credentials>): string | undefined {
  if (body === undefined || typeof body === 'string') return body
  return JSON.stringify(Array.isArray(body) ? body : { ...(body as object), ...signed })
}

/** undefined for what is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
