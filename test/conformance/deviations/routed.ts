/** Operation of a request, cached by path. */
import { isRefusal } from '../../../src/contract/refusal.ts'
import { routeOf } from '../../../src/sandbox/pipeline/operation-call.ts'

const routes = new Map<string, ReturnType<typeof routeOf>>()

/** The operation of a request, and its path parameters; null for none. */
export function routed(method: string, path: string) {
  const at = path.split('?')[0] ?? ''
  const key = `${method} ${at}`
  const route = routes.get(key) ?? routeOf(method, at)
  routes.set(key, route)
  return isRefusal(route) ? null : route
}
