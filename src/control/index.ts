/** The control plane: its operations as routes. */
import { json } from '../pipeline/exchange.ts'
import type { Registry } from '../sandbox/registry.ts'
import { type Guard, guarded } from './guard.ts'
import { controlOpenapi } from './openapi.ts'
import { routeOf } from './operation.ts'
import { CONTROL } from './operations.ts'
import type { Route } from './route.ts'

/** The routes of the control plane, guarded, and its own document. */
export function controlRoutes(registry: Registry, guard: Guard): Route[] {
  const routes = CONTROL.map((operation) => routeOf(operation, registry))
  return [...routes, paper].map((route) => guarded(route, guard))
}

const paper: Route = {
  method: 'GET',
  path: '/_control/openapi.json',
  answer: async () => json(200, JSON.stringify(controlOpenapi(CONTROL), null, 2)),
}
