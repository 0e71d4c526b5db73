/** The control plane: its operations as routes. */
import { jsonResponse } from '../../sandbox/pipeline/http-message.ts'
import type { Registry } from '../../sandbox/registry.ts'
import {
  type ControlGuard,
  type ControlRoute,
  type GuardedRoute,
  guestToken,
  withGuard,
} from './control-call.ts'
import { routeOf } from './control-operation.ts'
import { CONTROL_OPERATIONS } from './operations.ts'

/** The guarded routes of the control plane, and its own document. */
export function controlRoutes(registry: Registry, guard: ControlGuard): GuardedRoute[] {
  const routes = CONTROL_OPERATIONS.map((operation) =>
    routeOf(operation, registry, guestToken(guard)),
  )
  return [...routes, openapiRoute].map((route) => withGuard(route, guard))
}

const openapiRoute: ControlRoute = {
  method: 'GET',
  path: '/_control/openapi.json',
  // It is the same everywhere, and its page has to show it before a token is given.
  isOpen: true,
  answer: async () =>
    jsonResponse(200, JSON.stringify(loadOpenapi().controlOpenapi(CONTROL_OPERATIONS), null, 1)),
}

// Loaded on demand: most servers never serve the document.
const loadOpenapi = (): typeof import('./openapi.ts') => require('./openapi.ts')
