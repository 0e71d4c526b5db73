/** The paths of operations and sockets: every prefix, and each sandbox's own base URL. */

import { type Dialect, VENUE_DIALECT } from './dialect.ts'
import type { Operation } from './operation.ts'
import { PREFIXES } from './prefixes.ts'

/** The full path of an operation; one of the venue stands at the root of the base URL. */
export const operationPath = ({ path, profile }: Pick<Operation, 'path' | 'profile'>): string =>
  profile === 'raw' ? path : PREFIXES[0] + path

/** The full path of a socket; that of the venue stands at the root of the base URL. */
export const socketPath = (dialect: Dialect): string =>
  dialect === VENUE_DIALECT ? dialect.path : PREFIXES[0] + dialect.path

/** A path under the documented prefix, in place of the same under an older one. */
export function withCurrentPrefix(path: string): string {
  const older = OLDER_PREFIXES.find((prefix) => path.startsWith(prefix))
  return older === undefined ? path : `${PREFIXES[0]}${path.slice(older.length - 1)}`
}

const OLDER_PREFIXES = PREFIXES.slice(1).map((prefix) => `${prefix}/`)

/** The parameters of a path by the names that its pattern gives them. */
export function pathParams(pattern: string, path: string): Record<string, string> {
  const given = path.split('/')
  const params: Record<string, string> = {}
  for (const [at, part] of pattern.split('/').entries())
    if (part.startsWith(':')) params[part.slice(1)] = decoded(given[at] ?? '')
  return params
}

/** The path without the sandbox's base and without a trailing slash, and the named sandbox. */
export function splitSandboxBase(fullPath: string): { path: string; sandbox?: string } {
  const base = fullPath.startsWith(BASE) ? BASE : CONSOLE_BASE
  if (!fullPath.startsWith(base)) return { path: withoutEnd(fullPath) }
  const end = fullPath.indexOf('/', base.length)
  const name = end === -1 ? fullPath.slice(base.length) : fullPath.slice(base.length, end)
  if (name === '') return { path: withoutEnd(fullPath) }
  return { sandbox: decoded(name), path: end === -1 ? '/' : withoutEnd(fullPath.slice(end)) }
}

const BASE = '/s/'

/** The base for the own requests of the console: the journal tells them from those of clients. */
const CONSOLE_BASE = '/console/s/'

/** The sender of a request by its whole path: the console, or null for any client. */
export const viaOf = (fullPath: string): 'console' | null =>
  fullPath.startsWith(CONSOLE_BASE) ? 'console' : null

const withoutEnd = (path: string) =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path

/** A decoded part of a path; one with invalid percent-encoding stays as it is. */
export function decoded(part: string): string {
  if (!part.includes('%')) return part
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
// Query strings, before their parameters are read.

/** A query string as a record of all values, in the order in which they were sent. */
export function parseQueryLists(query: string): Record<string, string[]> {
  const read: Record<string, string[]> = Object.create(null)
  for (const [name, value] of new URLSearchParams(query)) {
    read[name] ??= []
    read[name].push(value)
  }
  return read
}
