import { type GuardedRoute, isPathOf, unknownCallResponse } from '../control/control-route.ts'
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
  const route = routes.find((one) => one.method === method && isPathOf(one, path))
  if (!route) return toControlResponse(unknownCallResponse(routes, method, path))
  const params = paramsOf(route.path, path)
  const text = body ? new TextDecoder().decode(body) : ''
  const call = { params, query, body: text, headers, origin: CONTROL_ORIGIN, signal }
  return toControlResponse(await route.answer(call))
}

function paramsOf(pattern: string, path: string): Record<string, string> {
  const given = path.split('/')
  const named = pattern.split('/').map((part, at) => [part, given[at] ?? ''] as const)
  return Object.fromEntries(
    named
      .filter(([part]) => part.startsWith(':'))
      .map(([part, value]) => [part.slice(1), decodeURIComponent(value)]),
  )
}
