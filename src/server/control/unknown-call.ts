/** Which call of the control plane a request is, and the answer where it is none. */
import { type HttpResponse, jsonResponse } from '../../sandbox/pipeline/http-message.ts'
import type { ControlRoute } from './control-route.ts'

/** A route with the parameters of a path; null for a call that the control plane does not have. */
export function findRoute<R extends ControlRoute>(
  routes: readonly R[],
  method: string,
  path: string,
): { route: R; params: Record<string, string> } | null {
  const route = routes.find((one) => one.method === method && isPathOf(one, path))
  return route ? { route, params: paramsOf(route, path) } : null
}

function paramsOf({ path: pattern }: ControlRoute, path: string): Record<string, string> {
  const given = path.split('/')
  const named = pattern.split('/').map((part, at) => [part, given[at] ?? ''] as const)
  return Object.fromEntries(
    named
      .filter(([part]) => part.startsWith(':'))
      .map(([part, value]) => [part.slice(1), decoded(value)]),
  )
}

/** A part that cannot be decoded names what is not there, as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** HTTP 405 with the methods of a path, or 404 for a path that is none. */
export function unknownCallResponse(
  routes: readonly ControlRoute[],
  method: string,
  path: string,
): HttpResponse {
  const allowed = routes.filter((route) => isPathOf(route, path)).map((route) => route.method)
  if (allowed.length === 0)
    return jsonResponse(404, '{"error":"unknown path; see /_control/openapi.json"}')
  const allow = allowed.join(', ')
  const error = `${method.slice(0, 20)} is not a method of this path: use ${allow}`
  return jsonResponse(405, JSON.stringify({ error }), { allow })
}

/** Whether a path is one of a route: parts that begin with a colon stand for any. */
function isPathOf(route: ControlRoute, path: string): boolean {
  const [parts, given] = [route.path.split('/'), path.split('/')]
  return (
    parts.length === given.length &&
    parts.every((part, index) => part.startsWith(':') || part === given[index])
  )
}
