/** Where operations and sockets are found: every prefix, and each sandbox's own base URL. */

import { type Dialect, VENUE_DIALECT } from './dialect.ts'
import type { Operation } from './operation.ts'
import { PREFIXES } from './prefixes.ts'

/** Every full path of an operation. Those of the venue stand at the root of the base URL. */
export function operationPaths({ path, aliases, profile }: Operation): string[] {
  return profile === 'raw' ? [path] : prefixedPaths([path, ...aliases])
}

/** Every full path of a socket. */
export function socketPaths(dialect: Dialect): string[] {
  return dialect === VENUE_DIALECT ? [dialect.path] : prefixedPaths([dialect.path])
}

/** Every full path of a path that is relative to the prefix, the documented one first. */
export function prefixedPaths(paths: readonly string[]): string[] {
  return PREFIXES.flatMap((prefix) => paths.map((path) => prefix + path))
}

/**
 * The path without the sandbox's base and without a slash at its end, and the sandbox it names.
 */
export function splitSandboxBase(fullPath: string): { path: string; sandbox?: string } {
  if (!fullPath.startsWith(BASE)) return { path: withoutEnd(fullPath) }
  const end = fullPath.indexOf('/', BASE.length)
  const name = end === -1 ? fullPath.slice(BASE.length) : fullPath.slice(BASE.length, end)
  if (name === '') return { path: withoutEnd(fullPath) }
  return { sandbox: decoded(name), path: end === -1 ? '/' : withoutEnd(fullPath.slice(end)) }
}

const BASE = '/s/'

const withoutEnd = (path: string) =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path

/** A part of a path; one that is not valid percent-encoding stays as it is. */
export function decoded(part: string): string {
  if (!part.includes('%')) return part
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
