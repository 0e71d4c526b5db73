/**
 * HTTP and WebSocket on a port. It carries bytes and knows nothing of the contract but its list.
 */
import { Elysia } from 'elysia'
import { isRefusal } from '../../contract/refusal.ts'
import type { ControlRoute } from '../../control/control-route.ts'
import { bareRequest, type HttpResponse, jsonResponse } from '../../pipeline/http-message.ts'
import { handleRequest, handleUnroutable } from '../../pipeline/pipeline.ts'
import { refusalResponse } from '../../pipeline/refusal-response.ts'
import { routeOf } from '../../pipeline/router.ts'
import type { Registry } from '../../sandbox/registry.ts'
import { socketOf } from '../../session/socket-upgrade.ts'
import { splitUrl, toControlResponse, toPageResponse, toResponse } from './http-response.ts'
import { BODY_HARD_MAX, BODY_MAX, readRequestBody } from './request-body.ts'
import { type Upgradable, upgrades } from './socket-routes.ts'

export interface ServerOptions {
  registry: Registry
  control: readonly ControlRoute[]
  /** Pages and documents: path to answer. */
  pages: ReadonlyMap<string, () => HttpResponse>
  /** Sockets that may be open at once (10 000). */
  maxSockets?: number
}

/** The application, not yet listening. */
export function server({ registry, control, pages, maxSockets = 10_000 }: ServerOptions) {
  const app = new Elysia({
    serve: { maxRequestBodySize: BODY_HARD_MAX },
    websocket: SOCKET_SETTINGS,
  })
  app.onError(({ error }) => {
    console.error(`tapewright: a fault of ours, please report it\n${errorText(error)}`)
    return toResponse(refusalResponse({ refused: 'fault' }))
  })
  for (const route of control)
    app.route(route.method, route.path, controlHandler(route), { parse: 'none' })
  for (const [path, page] of pages) app.get(path, () => toPageResponse(page()))
  for (const path of ['/swagger', '/swagger/*'])
    app.get(path, ({ request }) => loadSwagger().swaggerResponse(request))
  // Which operation a path means is found by the router that all transports share.
  return app.all('/*', contractHandler(registry, upgrades(registry, maxSockets)), {
    parse: 'none',
  })
}

/** A call of the contract, an upgrade, or a request for what is none. */
function contractHandler(registry: Registry, upgrade: ReturnType<typeof upgrades>) {
  // Taken apart here: of a context that is handed on whole the framework prepares every part.
  return async ({ request, server }: Upgradable): Promise<Response | undefined> => {
    const { method, url } = request
    const { pathname: path, query } = splitUrl(url)
    const route = routeOf(method, path)
    if (isRefusal(route)) {
      const endpoint = method === 'GET' ? socketOf(path) : null
      if (endpoint) return upgrade({ request, server }, endpoint)
      if (method === 'OPTIONS' && !path.startsWith('/_control')) return toResponse(PREFLIGHT)
      return toResponse(handleUnroutable(registry, route, bareRequest(method, path, query)))
    }
    const { operation, params, sandbox } = route
    const body = operation.method === 'GET' ? '' : await readRequestBody(request)
    if (isRefusal(body)) return toResponse(refusalResponse(body))
    const call = { method, path, params, query, body, sandbox }
    return toResponse(await handleRequest(registry, operation, call))
  }
}

/** A call of the control plane, with what its guard looks at. */
function controlHandler(route: ControlRoute) {
  return async ({ request, params, server }: ElysiaContext) => {
    // A journal may be silent for long, and so may the answer of a step.
    server?.timeout?.(request, 0)
    const body = await readRequestBody(request)
    if (isRefusal(body)) return toControlResponse(jsonResponse(413, ERROR_TOO_LARGE))
    const answer = await route.answer({
      params: (params ?? {}) as Record<string, string>,
      query: splitUrl(request.url).query,
      body,
      headers: request.headers,
      origin: URL.parse(request.url)?.origin ?? '',
    })
    return toControlResponse(answer)
  }
}

interface ElysiaContext {
  request: globalThis.Request
  params: unknown
  server: { timeout?(request: globalThis.Request, seconds: number): void } | null
}

const ERROR_TOO_LARGE = JSON.stringify({ error: `a body has at most ${BODY_MAX} bytes` })

// Loaded when somebody looks at the page: it is slow to load, and a server must not be.
const loadSwagger = (): typeof import('./swagger-page.ts') => require('./swagger-page.ts')

/** The sockets' idle rule is ours; the runtime's counts pushes and pongs as life. */
const SOCKET_SETTINGS = {
  idleTimeout: 0,
  sendPings: false,
  maxPayloadLength: BODY_HARD_MAX,
  backpressureLimit: 16 * BODY_HARD_MAX,
  closeOnBackpressureLimit: false,
}

/** Web pages on other origins may call, as they may call the service. */
const PREFLIGHT: HttpResponse = {
  status: 204,
  contentType: 'text/plain',
  body: '',
  headers: {
    'access-control-allow-methods': 'GET, POST, PUT, DELETE',
    'access-control-allow-headers': '*',
  },
}

const errorText = (error: unknown) => (error instanceof Error ? error.stack : String(error))
