/** Where operations and sockets are found: every prefix, and each sandbox's own base URL. */
import { type Dialect, VENUE } from './dialect.ts'
import { PREFIXES } from './index.ts'
import type { Operation } from './operation.ts'

/** Every full path of an operation. Those of the venue stand at the root of the base URL. */
export function placesOf({ path, aliases, profile }: Operation): string[] {
  return profile === 'raw' ? [path] : pathsOf([path, ...aliases])
}

/** Every full path of a socket. */
export function socketPlacesOf(dialect: Dialect): string[] {
  return dialect === VENUE ? [dialect.path] : pathsOf([dialect.path])
}

/** Every full path of a path that is relative to the prefix, the documented one first. */
export function pathsOf(paths: readonly string[]): string[] {
  return PREFIXES.flatMap((prefix) => paths.map((path) => prefix + path))
}

/** The path without the sandbox's base, and the sandbox it names. */
export function splitBase(path: string): { path: string; sandbox?: string } {
  const match = /^\/s\/([^/]+)(\/.*)?$/.exec(path)
  return match ? { sandbox: match[1] as string, path: match[2] ?? '/' } : { path }
}
