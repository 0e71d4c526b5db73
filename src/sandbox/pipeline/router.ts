/** Which operation a method and a path mean, over every transport. */

import Memoirist from 'memoirist'
import type { Operation } from '../../contract/operation.ts'
import { decoded, operationPaths, splitSandboxBase } from '../../contract/paths.ts'
import type { Refusal } from '../../contract/refusal.ts'
import { SERVED_OPERATIONS } from '../../contract/served-operations.ts'

export interface Route {
  operation: Operation
  params: Record<string, string>
  sandbox?: string | undefined
}

/**
 * The operation of a path, under every prefix and every sandbox's base; or the refusal of an
 * unknown path or a wrong method. What may be read may be asked for its head.
 */
export function routeOf(method: string, fullPath: string): Route | Refusal {
  const { path, sandbox } = splitSandboxBase(fullPath)
  const found = ROUTES.find(method === 'HEAD' ? 'GET' : method, path)
  if (found) return { operation: found.store, params: allDecoded(found.params), sandbox }
  const allowed = METHODS.filter((other) => ROUTES.find(other, path))
  return allowed.length > 0 ? { refused: 'method', allowed } : unknownPath(fullPath)
}

/** Names the path that clients mean which join a base and a path with a slash too many. */
function unknownPath(fullPath: string): Refusal<'path'> {
  if (fullPath.length > NEAR_MAX) return { refused: 'path' }
  const near = fullPath.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
  const { path } = splitSandboxBase(near)
  const isServed = near !== fullPath && METHODS.some((method) => ROUTES.find(method, path))
  return isServed ? { refused: 'path', near } : { refused: 'path' }
}

/** Letters of a path that is still looked at. */
const NEAR_MAX = 1000

const ROUTES = new Memoirist<Operation>()
// With its history it looks through all paths for each of them, and a start waits for that.
for (const operation of SERVED_OPERATIONS)
  for (const path of operationPaths(operation))
    ROUTES.add(operation.method, path, operation, { ignoreHistory: true })

const METHODS = [...new Set(SERVED_OPERATIONS.map(({ method }) => method))]

function allDecoded(params: Record<string, string>): Record<string, string> {
  const read: Record<string, string> = {}
  for (const [name, value] of Object.entries(params)) read[name] = decoded(value)
  return read
}
