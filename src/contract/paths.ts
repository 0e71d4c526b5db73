/** Where operations and sockets are found: every prefix, and each sandbox's own base URL. */
import { PREFIXES } from './index.ts'

/** Every full path of a path that is relative to the prefix, the documented one first. */
export function pathsOf(paths: readonly string[]): string[] {
  return PREFIXES.flatMap((prefix) => paths.map((path) => prefix + path))
}

/** The path without the sandbox's base, and the sandbox it names. */
export function splitBase(path: string): { path: string; sandbox?: string } {
  const match = /^\/s\/([^/]+)(\/.*)?$/.exec(path)
  return match ? { sandbox: match[1] as string, path: match[2] ?? '/' } : { path }
}
