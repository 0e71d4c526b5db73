import { findRoute, type GuardedRoute, unknownCallResponse } from '../control/control-route.ts'
import { splitUrl, toControlResponse } from '../transport/elysia/http-response.ts'
import type { BackendRequest } from '../transport/msw/backend.ts'

/** Where the control plane is, as a sandbox's addresses have it; nothing listens there. */
export const CONTROL_ORIGIN = 'http://localhost'

/** The answer of a call of the control plane, without a network. */
export async function answerControl(
  routes: readonly GuardedRoute[],
  { method, path: fullPath, headers, body, signal }: BackendRequest,
): Promise<Response> {
  const { pathname: path, query } = splitUrl(fullPath)
  const found = findRoute(routes, method, path)
  if (!found) return toControlResponse(unknownCallResponse(routes, method, path))
  const { route, params } = found
  const text = body ? new TextDecoder().decode(body) : ''
  const call = { params, query, body: text, headers, origin: CONTROL_ORIGIN, signal }
  return toControlResponse(await route.answer(call))
}
