/**
 * HTTP and WebSocket on a port. It carries bytes and knows nothing of the contract but its list.
 */
import { Elysia } from 'elysia'
import { isRefusal } from '../../contract/refusal.ts'
import type { Route as ControlRoute } from '../../control/route.ts'
import { type Answer, bareRequest, json } from '../../pipeline/exchange.ts'
import { answer, answerNothing } from '../../pipeline/pipeline.ts'
import { refuse } from '../../pipeline/refusing.ts'
import { routeOf } from '../../pipeline/router.ts'
import type { Registry } from '../../sandbox/registry.ts'
import { socketOf } from '../../session/upgrade.ts'
import { BODY_CUT, BODY_MOST, bodyOf } from './body.ts'
import { respond, respondPage, respondWithin, split } from './http.ts'
import { type Upgradable, upgrades } from './sockets.ts'

export interface Doors {
  registry: Registry
  control: readonly ControlRoute[]
  /** Pages and documents: path to answer. */
  pages: ReadonlyMap<string, () => Answer>
  /** Sockets that may be open at once (10 000). */
  mostSockets?: number
}

/** The application, not yet listening. */
export function server({ registry, control, pages, mostSockets = 10_000 }: Doors) {
  const app = new Elysia({
    serve: { maxRequestBodySize: BODY_CUT },
    websocket: SOCKET_SETTINGS,
  })
  app.onError(({ error }) => {
    console.error(`tapewright: a fault of ours, please report it\n${fault(error)}`)
    return respond(refuse({ refused: 'fault' }))
  })
  for (const route of control)
    app.route(route.method, route.path, carrier(route), { parse: 'none' })
  for (const [path, page] of pages) app.get(path, () => respondPage(page()))
  for (const path of ['/swagger', '/swagger/*'])
    app.get(path, ({ request }) => swaggerRoom().swaggerAnswer(request))
  // Which operation a path means is found by the router that all transports share.
  return app.all('/*', contractCarrier(registry, upgrades(registry, mostSockets)), {
    parse: 'none',
  })
}

/** A call of the contract, an upgrade, or a request for what is none. */
function contractCarrier(registry: Registry, upgrade: ReturnType<typeof upgrades>) {
  // Taken apart here: of a context that is handed on whole the framework prepares every part.
  return async ({ request, server }: Upgradable): Promise<Response | undefined> => {
    const { method, url } = request
    const { pathname: path, query } = split(url)
    const route = routeOf(method, path)
    if (isRefusal(route)) {
      const place = method === 'GET' ? socketOf(path) : null
      if (place) return upgrade({ request, server }, place)
      if (method === 'OPTIONS' && !path.startsWith('/_control')) return respond(PREFLIGHT)
      return respond(answerNothing(registry, route, bareRequest(method, path, query)))
    }
    const { operation, params, sandbox } = route
    const body = operation.method === 'GET' ? '' : await bodyOf(request)
    if (isRefusal(body)) return respond(refuse(body))
    return respond(answer(registry, operation, { method, path, params, query, body, sandbox }))
  }
}

/** A call of the control plane, with what its guard looks at. */
function carrier(route: ControlRoute) {
  return async ({ request, params, server }: Carried) => {
    // A journal may be silent for long, and so may the answer of a step.
    server?.timeout?.(request, 0)
    const body = await bodyOf(request)
    if (isRefusal(body)) return respondWithin(json(413, ERROR_TOO_LARGE))
    const answer = await route.answer({
      params: (params ?? {}) as Record<string, string>,
      query: split(request.url).query,
      body,
      headers: request.headers,
      origin: URL.parse(request.url)?.origin ?? '',
    })
    return respondWithin(answer)
  }
}

interface Carried {
  request: globalThis.Request
  params: unknown
  server: { timeout?(request: globalThis.Request, seconds: number): void } | null
}

const ERROR_TOO_LARGE = JSON.stringify({ error: `a body has at most ${BODY_MOST} bytes` })

// Loaded when somebody looks at the page: it is slow to load, and a server must not be.
const swaggerRoom = (): typeof import('./swagger.ts') => require('./swagger.ts')

/** The sockets' idle rule is ours; the runtime's counts pushes and pongs as life. */
const SOCKET_SETTINGS = {
  idleTimeout: 0,
  sendPings: false,
  maxPayloadLength: BODY_CUT,
  backpressureLimit: 16 * BODY_CUT,
  closeOnBackpressureLimit: false,
}

/** Web pages on other origins may call, as they may call the service. */
const PREFLIGHT: Answer = {
  status: 204,
  contentType: 'text/plain',
  body: '',
  headers: {
    'access-control-allow-methods': 'GET, POST, PUT, DELETE',
    'access-control-allow-headers': '*',
  },
}

const fault = (error: unknown) => (error instanceof Error ? error.stack : String(error))
