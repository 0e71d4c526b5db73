/**
 * HTTP and WebSocket on a port. It carries bytes and knows nothing of the contract but its list.
 */
import { Elysia } from 'elysia'
import { isRefusal } from '../../contract/refusal.ts'
import type { ControlRoute } from '../../control/control-route.ts'
import type { RequestCounts } from '../../metrics/request-counts.ts'
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
    registry.metrics.faults++
    console.error(`tapewright: a fault of ours, please report it\n${errorText(error)}`)
    return toResponse(refusalResponse({ refused: 'fault' }))
  })
  for (const route of control)
    app.route(route.method, route.path, controlHandler(registry.metrics.controlRequests, route), {
      parse: 'none',
    })
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
  const { requests } = registry.metrics
  // Taken apart here: of a context that is handed on whole the framework prepares every part.
  return async ({ request, server }: Upgradable): Promise<Response | undefined> => {
    const { method, url } = request
    const { pathname: path, query } = splitUrl(url)
    const route = routeOf(method, path)
    if (isRefusal(route)) {
      const arrivedMs = requests.arrival()
      const endpoint = method === 'GET' ? socketOf(path) : null
      if (endpoint) {
        const response = await upgrade({ request, server }, endpoint)
        requests.count(SOCKET_UPGRADE, response?.status ?? 101, arrivedMs)
        return response
      }
      if (method === 'OPTIONS' && !path.startsWith('/_control')) return toResponse(PREFLIGHT)
      const answer = handleUnroutable(registry, route, bareRequest(method, path, query))
      requests.count(NO_OPERATION, answer.status, arrivedMs)
      return toResponse(answer)
    }
    const { operation, params, sandbox } = route
    const body = operation.method === 'GET' ? '' : await readRequestBody(request)
    // A client that sends its body slowly has not asked yet.
    const arrivedMs = requests.arrival()
    const answer = isRefusal(body)
      ? refusalResponse(body)
      : await handleRequest(registry, operation, { method, path, params, query, body, sandbox })
    requests.count(operation.id, answer.status, arrivedMs)
    return toResponse(answer)
  }
}

/** A call of the control plane, with what its guard looks at. */
function controlHandler(requests: RequestCounts, route: ControlRoute) {
  return async ({ request, params, server }: ElysiaContext) => {
    // A journal may be silent for long, and so may the answer of a step.
    server?.timeout?.(request, 0)
    const body = await readRequestBody(request)
    const arrivedMs = requests.arrival()
    const call = {
      params: (params ?? {}) as Record<string, string>,
      query: splitUrl(request.url).query,
      headers: request.headers,
      origin: URL.parse(request.url)?.origin ?? '',
    }
    const answer = isRefusal(body)
      ? jsonResponse(413, ERROR_TOO_LARGE)
      : await route.answer({ ...call, body })
    requests.count(route.id, answer.status, arrivedMs)
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

/** What requests are counted as which are for no operation. */
const SOCKET_UPGRADE = 'websocket'
const NO_OPERATION = 'none'

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
