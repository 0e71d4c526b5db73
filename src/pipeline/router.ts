/** Which operation a method and a path mean; for transports that do not route themselves. */
import Memoirist from 'memoirist'
import type { Operation } from '../contract/operation.ts'
import { placesOf, splitBase } from '../contract/paths.ts'
import type { Refusal } from '../contract/refusal.ts'

export interface Route {
  operation: Operation
  params: Record<string, string>
  sandbox?: string | undefined
}

export interface Router {
  /** The route, or the refusal of an unknown path or a wrong method. */
  find(method: string, path: string): Route | Refusal
}

/** A router over a list of operations, under every prefix and every sandbox's base. */
export function routerOf(operations: readonly Operation[]): Router {
  const routes = new Memoirist<Operation>()
  const methods = new Set<string>()
  for (const operation of operations) {
    methods.add(operation.method)
    for (const path of placesOf(operation)) routes.add(operation.method, path, operation)
  }
  return {
    find(method, fullPath) {
      const { path, sandbox } = splitBase(fullPath)
      const found = routes.find(method, path)
      if (found) return { operation: found.store, params: decoded(found.params), sandbox }
      const allowed = [...methods].filter((other) => routes.find(other, path))
      return allowed.length > 0 ? { refused: 'method', allowed } : { refused: 'path' }
    },
  }
}

/** A part that is not valid percent-encoding stays as it is. */
function decoded(params: Record<string, string>): Record<string, string> {
  const read: Record<string, string> = {}
  for (const [name, value] of Object.entries(params)) {
    try {
      read[name] = decodeURIComponent(value)
    } catch {
      read[name] = value
    }
  }
  return read
}
