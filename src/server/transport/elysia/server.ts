/**
 * HTTP and WebSocket on a port. It carries bytes and knows nothing of the contract but its list.
 */

import { Elysia } from 'elysia'
import { isRefusal, type Refusal } from '../../../contract/refusal.ts'
import { bareHost, portFailure, portOrigin } from '../../../platform/port.ts'
import { UserError } from '../../../platform/user-error.ts'
import {
  bareRequest,
  jsonResponse,
  refusalResponse,
} from '../../../sandbox/pipeline/http-message.ts'
import { routeOf } from '../../../sandbox/pipeline/operation-call.ts'
import {
  handleRequest,
  handleUnreadable,
  handleUnroutable,
} from '../../../sandbox/pipeline/pipeline.ts'
import type { Registry } from '../../../sandbox/registry.ts'
import { callRefusal, socketOf } from '../../../sandbox/session/socket-upgrade.ts'
import { findRoute, type GuardedRoute, unknownCallResponse } from '../../control/control-route.ts'
import {
  CONTROL_PATH,
  earlyRefusal,
  preflight,
  splitUrl,
  toControlResponse,
  toResponse,
} from './http-response.ts'
import { type Pages, pageOf } from './page-response.ts'
import { BodyRoom, readRequestBody } from './request-body.ts'
import { SOCKETS, type Upgradable, upgrades } from './socket-routes.ts'

export interface ServerOptions {
  registry: Registry
  control: readonly GuardedRoute[]
  /** Pages and documents: path to answer. */
  pages: Pages
  /** Sockets that may be open at once (10 000). */
  maxSockets?: number
  /** So long a connection may be idle, or a request take to come whole, s (30). */
  idleS?: number
}

/** The application; `listen` puts it on a port. */
export function server(options: ServerOptions) {
  const { registry, control, pages, maxSockets = 10_000, idleS = 30 } = options
  const app = new Elysia({ serve: { idleTimeout: idleS } })
  app.onError(({ error }) => {
    registry.metrics.faults++
    console.error(`tapewright: a fault of ours, please report it\n${errorText(error)}`)
    return toResponse(refusalResponse({ refused: 'fault' }))
  })
  const bodies = new BodyRoom()
  for (const route of control)
    app.route(route.method, route.path, controlHandler({ registry, bodies, idleS }, route), {
      parse: 'none',
    })
  const upgrade = upgrades(registry, maxSockets)
  const handling = { registry, control, pages, upgrade, bodies, idleS }
  // Which operation a path means is found by the router that all transports share.
  return app.all('/*', contractHandler(handling), { parse: 'none' })
}

function hostRefusal({ headers, url }: Request): Response | Promise<Response> | null {
  const flaw = hostFlaw(headers)
  return flaw === null ? null : earlyRefusal(splitUrl(url).pathname, 400, flaw)
}

/** A call of the contract, an upgrade, a page, or a request for what is none. */
function contractHandler({ registry, control, pages, upgrade, bodies, idleS }: ContractHandling) {
  const { metrics } = registry
  // Taken apart here: of a context that is handed on whole the framework prepares every part.
  return async ({ request, server }: Upgradable): Promise<Response | undefined> => {
    const { method, url } = request
    const refused = hostRefusal(request)
    if (refused) return refused
    const { pathname: path, query } = splitUrl(url)
    // The framework looks for a path after the eleventh letter: it misses it after a short host.
    const call = path.startsWith(CONTROL_PATH) ? findRoute(control, method, path) : null
    if (call) {
      const handle = controlHandler({ registry, bodies, idleS }, call.route)
      return handle({ request, params: call.params, server })
    }
    const route = routeOf(method, path)
    const page = isRefusal(route) && method !== 'OPTIONS' ? pageOf(pages, path, registry) : null
    if (page) return page(request)
    if (metrics.isStarting && !path.startsWith(CONTROL_PATH))
      return earlyRefusal(path, 503, STARTING, { 'retry-after': '1' })
    if (isRefusal(route)) {
      if (path.startsWith(CONTROL_PATH))
        return toControlResponse(unknownCallResponse(control, method, path))
      if (method === 'OPTIONS') return toResponse(preflight(registry, request))
      const endpoint = method === 'GET' ? socketOf(path) : null
      if (endpoint) return upgrade({ request, server }, endpoint)
      const refusal = callRefusal(method, path, route)
      return toResponse(handleUnroutable(registry, refusal, bareRequest(method, path, query)))
    }
    const { operation, params, sandbox } = route
    if (operation.method === 'GET') return answered('')
    const taken = bodies.take(request, registry.memory)
    if (typeof taken === 'string') return earlyRefusal(path, 503, taken, SOON)
    try {
      const body = await readRequestBody(request)
      if (isRefusal(body))
        return toResponse(handleUnreadable(registry, operation, body, { sandbox, query }))
      return await answered(body)
    } finally {
      taken()
    }

    async function answered(body: string): Promise<Response> {
      const call = { method, path, params, query, body, sandbox }
      const answering = handleRequest(registry, operation, call)
      const waits = answering instanceof Promise
      // A turn may be longer in coming than an idle connection is kept, and so may a scenario be.
      if (waits) server?.timeout?.(request, 0)
      const answer = await answering
      if (waits && !answer.delivery) server?.timeout?.(request, idleS)
      if (!answer.delivery) return toResponse(answer)
      server?.timeout?.(request, 0)
      const response = await toResponse(answer)
      if (!answer.delivery.chunks) server?.timeout?.(request, idleS)
      return response
    }
  }
}

/** When a client may try again. */
const SOON = { 'retry-after': '1' }

/** What needs a sandbox has to wait for it. */
const STARTING = 'the server is starting, see /_control/health'

interface ContractHandling {
  registry: Registry
  control: readonly GuardedRoute[]
  pages: Pages
  upgrade: ReturnType<typeof upgrades>
  bodies: BodyRoom
  idleS: number
}

/** A call of the control plane, with what its guard looks at. */
function controlHandler(
  { registry, bodies, idleS }: Pick<ContractHandling, 'registry' | 'bodies' | 'idleS'>,
  route: GuardedRoute,
) {
  return async ({ request, params, server }: ElysiaContext) => {
    const { headers, url } = request
    const origin = URL.parse(url)?.origin ?? ''
    const barred = hostRefusal(request)
    if (barred) return barred
    const refused = route.refusal({ headers, origin })
    if (refused) return toControlResponse(refused)
    const taken = bodies.take(request, registry.memory, route.maxBodyBytes)
    if (typeof taken === 'string')
      return toControlResponse(jsonResponse(503, JSON.stringify({ error: taken }), SOON))
    try {
      return await answered()
    } finally {
      taken()
    }

    async function answered(): Promise<Response> {
      const body = await readRequestBody(request, route.maxBodyBytes)
      if (isRefusal(body)) return toControlResponse(jsonResponse(413, tooLargeText(body)))
      // A journal may be silent for long, and so may the answer of a step; a body may not.
      server?.timeout?.(request, 0)
      const { query } = splitUrl(url)
      const pathParams = (params ?? {}) as Record<string, string>
      const { signal } = request
      const call = { params: pathParams, query, body, headers, origin, signal }
      const answer = await route.answer(call)
      // Else the connection would be kept for ever after the answer.
      if (typeof answer.body === 'string') server?.timeout?.(request, idleS)
      return toControlResponse(answer)
    }
  }
}

interface ElysiaContext {
  request: globalThis.Request
  params: unknown
  server: { timeout?(request: globalThis.Request, seconds: number): void } | null
}

const tooLargeText = ({ maxBytes, declaredBytes }: Refusal<'tooLarge'>) =>
  JSON.stringify({
    error: `a body has at most ${maxBytes} bytes, this one ${declaredBytes ?? 'more'}`,
  })

const errorText = (error: unknown) => (error instanceof Error ? error.stack : String(error))

// The host that a request names, which has to be one.

/**
 * What is wrong with the host that a request names; null when it is one, empty, or left out as
 * HTTP/1.0 may. Of two the runtime would believe the first, and a proxy before it maybe the second;
 * it joins them with a comma (RFC 9112, 3.2).
 */
function hostFlaw(headers: Headers): string | null {
  const host = headers.get('host')
  if (host === null || HOST.test(host)) return null
  return `send one Host header with one name, and maybe a port, not "${host.slice(0, 100)}"`
}

const HOST = /^(?:\[[\da-f:.]+\]|[\w.~-]*)(?::\d*)?$/i

// Listening on a port, and what to do when that cannot be.

/**
 * Listens; answers with the origin, `http://host:port`. A UserError when that cannot be.
 *
 * Not by the framework's own `listen`: that compiles everything twice, opens the port a second time
 * and collects garbage three times, which a start would wait for.
 */
export function listen(
  app: ReturnType<typeof server>,
  { port, host }: { port: number; host: string },
): string {
  const { idleTimeout = 0 } = app.config.serve ?? {}
  try {
    app.server = Bun.serve({
      port,
      hostname: bareHost(host),
      reusePort: false,
      development: false,
      // We bound bodies; the runtime keeps none that is not read, and would refuse without a word.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      idleTimeout,
      websocket: SOCKETS,
      fetch: compiledHandler(app),
    })
  } catch (error) {
    throw new UserError(portFailure(error, { host, port }))
  }
  return portOrigin(host, app.server?.port ?? port)
}

/**
 * What answers requests. The framework keeps an error of its own among what it compiles; to tell
 * where that was made, the runtime would read the source map of the whole program.
 */
function compiledHandler(app: ReturnType<typeof server>) {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return app.compile().fetch
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
