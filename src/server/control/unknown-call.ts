/** The answer to a call that the control plane does not have. */
import { type HttpResponse, jsonResponse } from '../../sandbox/pipeline/http-message.ts'
import type { ControlRoute } from './control-route.ts'

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
export function isPathOf(route: ControlRoute, path: string): boolean {
  const [parts, given] = [route.path.split('/'), path.split('/')]
  return (
    parts.length === given.length &&
    parts.every((part, index) => part.startsWith(':') || part === given[index])
  )
}
