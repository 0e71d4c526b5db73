/** HTTP and WebSocket on a port. It depends on the contract's list of paths only. */

import { Elysia } from 'elysia'
import type { Json } from '../../../contract/documents/components.ts'
import { withoutMark } from '../../../contract/fields/json-bounds.ts'
import type { Operation } from '../../../contract/operation.ts'
import { operationPath, pathParams, socketPath } from '../../../contract/paths.ts'
import { isRefusal, type Refusal } from '../../../contract/refusal.ts'
import { routedPath, SERVED_OPERATIONS } from '../../../contract/served-operations.ts'
import { bareHost, portFailure, portOrigin } from '../../../platform/port.ts'
import { UserError } from '../../../platform/user-error.ts'
import {
  bareRequest,
  jsonResponse,
  refusalResponse,
} from '../../../sandbox/pipeline/http-message.ts'
import {
  handleRequest,
  handleUnreadable,
  handleUnroutable,
} from '../../../sandbox/pipeline/pipeline.ts'
import type { Registry } from '../../../sandbox/registry.ts'
import {
  callRefusal,
  SOCKET_ENDPOINTS,
  type SocketEndpoint,
} from '../../../sandbox/session/socket-upgrade.ts'
import { findRoute, type GuardedRoute, unknownCallResponse } from '../../control/control-call.ts'
import { CONTROL_OPERATIONS } from '../../control/operations.ts'
import {
  BodyRoom,
  CONTROL_PATH,
  earlyRefusal,
  preflight,
  readRequestBody,
  splitUrl,
  toControlResponse,
  toResponse,
} from './http-response.ts'
import { type Pages, pageOf } from './page-response.ts'
import { SOCKETS, type Upgradable, upgrades } from './socket-routes.ts'

export interface ServerOptions {
  registry: Registry
  control: readonly GuardedRoute[]
  /** Pages and documents: path to page. */
  pages: Pages
  /** Maximum number of open sockets (10 000). */
  maxSockets?: number
  /** Maximum idle time of a connection, and time for a request to arrive, s (30). */
  idleS?: number
}

/**
 * The application; `listen` puts it on a port, `handle` answers without one. Each operation and
 * socket of the contract is one route, and so are the calls of the control plane and the pages. A
 * route has one path: `setRoute` takes off whatever else leads to it.
 */
export function server(options: ServerOptions) {
  const { registry, control, pages, maxSockets = 10_000, idleS = 30 } = options
  const app = new Elysia({ serve: { idleTimeout: idleS }, strictPath: true })
  app.onError(({ error }) => {
    registry.metrics.faults++
    console.error(`tapewright: an internal error, please report it\n${errorText(error)}`)
    return toResponse(refusalResponse({ refused: 'fault' }))
  })
  app.wrap((route, request) => {
    const refused = hostRefusal(request)
    if (refused) return () => refused
    setRoute(request)
    return route
  })
  const handling = { registry, control, pages, bodies: new BodyRoom(), idleS }
  for (const operation of SERVED_OPERATIONS)
    app.route(operation.method, operationPath(operation), operationHandler(handling, operation), {
      parse: 'none',
      detail: detailOf(contractDocument, operation.method, operationPath(operation), operation),
    })
  const unrouted = unroutedHandler(handling)
  const upgrade = upgrades(registry, maxSockets)
  for (const socket of SOCKET_ENDPOINTS)
    app.get(socketPath(socket.dialect), socketHandler(socket, { registry, upgrade, unrouted }), {
      parse: 'none',
      detail: { operationId: `socket.${socket.dialect.name}`, tags: ['sockets'] },
    })
  for (const route of control)
    app.route(route.method, route.path, controlHandler(handling, route), {
      parse: 'none',
      detail: detailOf(controlDocument, route.method, route.path),
    })
  for (const path of pageRoutes(pages))
    app.get(path, unrouted, { parse: 'none', detail: { hide: true } })
  return app.all('/*', unrouted, { parse: 'none', detail: { hide: true } })
}

/** What all handlers need. */
interface Handling {
  registry: Registry
  control: readonly GuardedRoute[]
  pages: Pages
  bodies: BodyRoom
  idleS: number
}

function hostRefusal({ headers, url }: Request): Response | Promise<Response> | null {
  const flaw = hostFlaw(headers)
  return flaw === null ? null : earlyRefusal(splitUrl(url).pathname, 400, flaw)
}

/** Handles a call of an operation. */
function operationHandler({ registry, bodies, idleS }: Handling, operation: Operation) {
  const { metrics } = registry
  const pattern = operationPath(operation)
  // Destructured here: the framework prepares every part of a context that is passed on whole.
  return async ({ request, params, server }: RoutedContext): Promise<Response> => {
    const address = addressOf(request)
    if (metrics.isStarting) return startingResponse(address.path)
    if (operation.method === 'GET') return answered(address, '')
    const taken = bodies.take(request, registry.memory)
    if (typeof taken === 'string') return earlyRefusal(address.path, 503, taken, SOON)
    try {
      const body = await readRequestBody(request)
      if (isRefusal(body)) return toResponse(handleUnreadable(registry, operation, body, address))
      return await answered(address, body)
    } finally {
      taken()
    }

    async function answered(
      { method, path, query, sandbox }: Address,
      body: string,
    ): Promise<Response> {
      const named = paramsOf(pattern, params, path)
      const contentType = request.headers.get('content-type')
      const call = { method, path, params: named, query, body, contentType, sandbox }
      const answering = handleRequest(registry, operation, call)
      const waits = answering instanceof Promise
      // A turn or a scenario may take longer than an idle connection is kept.
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

/** The parameters of a path. The framework drops a part that cannot be decoded, we keep it. */
const paramsOf = (pattern: string, params: unknown, path: string): Record<string, string> =>
  path.includes('%')
    ? pathParams(pattern, routedPath(path).path)
    : ((params ?? {}) as Record<string, string>)

/** Handles an upgrade to a socket of the contract. */
function socketHandler(socket: SocketEndpoint, { registry, upgrade, unrouted }: SocketHandling) {
  return async ({ request, server }: SocketContext): Promise<Response | undefined> => {
    const address = addressOf(request)
    if (address.method !== 'GET') return unrouted({ request, params: {}, server })
    if (registry.metrics.isStarting) return startingResponse(address.path)
    return upgrade({ request, server, address }, socket)
  }
}

type SocketContext = Omit<Upgradable, 'address'>

interface SocketHandling {
  registry: Registry
  upgrade: ReturnType<typeof upgrades>
  unrouted: ReturnType<typeof unroutedHandler>
}

/** Handles a page, and what has no route: a preflight, a wrong method, an unknown path. */
function unroutedHandler(handling: Handling) {
  const { registry, control, pages } = handling
  return async ({ request, server }: RoutedContext): Promise<Response> => {
    const { method, url, path, query } = addressOf(request)
    const isControl = path.startsWith(CONTROL_PATH)
    // The router takes no empty part; a call with one is for a sandbox that does not exist.
    const call = isControl ? findRoute(control, method, path) : null
    if (call) return controlHandler(handling, call.route)({ request, params: call.params, server })
    const page = method === 'OPTIONS' ? null : pageOf(pages, path, registry)
    if (page) return page(request)
    if (isControl) return toControlResponse(unknownCallResponse(control, method, path))
    if (registry.metrics.isStarting) return startingResponse(path)
    if (method === 'OPTIONS')
      return toResponse(preflight(registry, { headers: request.headers, url }))
    const refusal = callRefusal(method, path)
    return toResponse(handleUnroutable(registry, refusal, bareRequest(method, path, query)))
  }
}

/**
 * A route's part of a document, which is made on demand: most servers never do. It is no schema of
 * the framework's, which would be enforced, with a 422.
 */
function detailOf(
  document: () => Document,
  method: string,
  path: string,
  { id, title }: { id?: string; title?: string } = {},
): Json {
  const of = () => document().paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] ?? {}
  return {
    get operationId() {
      return of().operationId ?? id
    },
    get summary() {
      return of().summary ?? title
    },
    get tags() {
      return of().tags
    },
    get description() {
      return of().description
    },
    get security() {
      return of().security
    },
    get parameters() {
      return of().parameters
    },
    get requestBody() {
      return of().requestBody
    },
    get responses() {
      return of().responses
    },
  }
}

interface Document {
  paths: Record<string, Record<string, Json> | undefined>
}

// Loaded on demand: most servers never need them.
const contractDocument = once((): Document => {
  const { openapiText }: typeof import('../../../contract/documents/openapi.ts') =
    require('../../../contract/documents/openapi.ts')
  return JSON.parse(openapiText())
})

const controlDocument = once((): Document => {
  const { controlOpenapi }: typeof import('../../control/openapi.ts') =
    require('../../control/openapi.ts')
  return { paths: controlOpenapi(CONTROL_OPERATIONS).paths as Document['paths'] }
})

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** The paths of the pages; those under one of them are one route. */
const pageRoutes = (pages: Pages): Set<string> =>
  new Set([...pages.keys()].map((path) => path.replace(/(?<=.)\/.*$/, '/*')))

/** When a client may try again. */
const SOON = { 'retry-after': '1' }

/** Calls that need a sandbox have to wait. */
const startingResponse = (path: string) =>
  earlyRefusal(path, 503, 'the server is starting, see /_control/health', SOON)

/** Handles a control call, with the input of its guard. */
function controlHandler({ registry, bodies, idleS }: Handling, route: GuardedRoute) {
  return async ({ request, params, server }: RoutedContext) => {
    const { headers } = request
    const { url, query } = addressOf(request)
    const origin = URL.parse(url)?.origin ?? ''
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
      if (isRefusal(body)) return toControlResponse(unreadResponse(body))
      // A journal may be silent for long, and so may the response of a step; a body may not.
      server?.timeout?.(request, 0)
      const pathParams = (params ?? {}) as Record<string, string>
      const { signal } = request
      const text = withoutMark(body)
      const call = { params: pathParams, query, body: text, headers, origin, signal }
      const answer = await route.answer(call)
      // Otherwise the connection would be kept for ever after the response.
      if (typeof answer.body === 'string') server?.timeout?.(request, idleS)
      return toControlResponse(answer)
    }
  }
}

/** A request as a route gets it from the framework. */
interface RoutedContext {
  request: Request
  params: unknown
  server: { timeout?(request: Request, seconds: number): void } | null
}

/** The answer to a body of a call that was not read. */
function unreadResponse(refusal: Refusal<'tooLarge' | 'body'>) {
  if (refusal.refused === 'body')
    return jsonResponse(415, JSON.stringify({ error: `the body must be ${refusal.expected}` }))
  const { maxBytes, declaredBytes } = refusal
  const error = `a body has at most ${maxBytes} bytes, this one ${declaredBytes ?? 'more'}`
  return jsonResponse(413, JSON.stringify({ error }))
}

const errorText = (error: unknown) => (error instanceof Error ? error.stack : String(error))

// The address of a request: as it was sent, and as it is routed.

/** An address as it was sent. */
interface Address {
  /** `HEAD` too, which is routed as a `GET`. */
  method: string
  /** The whole URL, with a sandbox's base. */
  url: string
  /** Undecoded, with a sandbox's base. */
  path: string
  query: string
  /** The sandbox that the path names. */
  sandbox: string | undefined
}

/**
 * Sets the path and the method of a request to those of its route, and keeps those that were sent.
 * The request itself is changed: the runtime upgrades no copy and has no timeout for one.
 */
function setRoute(request: Request): void {
  const { method, url } = request
  const { pathname: path, query } = splitUrl(url)
  const isControl = path.startsWith(CONTROL_PATH)
  const { path: routed, sandbox } = isControl ? controlPath(path) : routedPath(path)
  // A sandbox has no control plane under its base.
  const target = !isControl && routed.startsWith(CONTROL_PATH) ? path : routed
  const addressed: Addressed = request
  addressed[ADDRESS] = { method, url, path, query, sandbox }
  const start = url.indexOf('/', HOST_END)
  const isFound = start !== -1 && url.startsWith(path, start)
  if (target !== path || !isFound) {
    const origin = isFound ? url.slice(0, start) : LONG_ORIGIN
    set(request, 'url', `${origin}${target}${query === '' ? '' : `?${query}`}`)
  }
  // The framework would read the response, to count its bytes.
  if (method === 'HEAD' && !isControl) set(request, 'method', 'GET')
}

/** The address to which a request was sent, after `setRoute`. */
function addressOf(request: Request): Address {
  return (request as Addressed)[ADDRESS] as Address
}

const controlPath = (path: string): { path: string; sandbox?: string } => ({
  path: path.endsWith('/') ? path.slice(0, -1) : path,
})

interface Addressed extends Request {
  [ADDRESS]?: Address
}

const ADDRESS = Symbol('address')

/** The framework looks for a path from this letter on, and misses it after a short host. */
const HOST_END = 11
const LONG_ORIGIN = 'http://localhost'

const set = (request: Request, name: 'url' | 'method', value: string) =>
  Object.defineProperty(request, name, { value })

// Checks the `Host` header.

/**
 * The flaw of the `Host` header; null when it is a host, empty, or absent as in HTTP/1.0. Of two
 * the runtime would use the first, and a proxy possibly the second; they arrive joined with a comma
 * (RFC 9112, 3.2).
 */
function hostFlaw(headers: Headers): string | null {
  const host = headers.get('host')
  if (host === null || HOST.test(host)) return null
  return `send one Host header with one name, and optionally a port, not "${host.slice(0, 100)}"`
}

const HOST = /^(?:\[[\da-f:.]+\]|[\w.~-]*)(?::\d*)?$/i

// Listening on a port, and its errors.

/**
 * Listens; returns the origin, `http://host:port`. A UserError when it cannot.
 *
 * The framework's own `listen` compiles everything twice, opens the port a second time and collects
 * garbage three times, which would delay the start.
 */
export function listen(
  app: ReturnType<typeof server>,
  { port, host, sharePort = false }: { port: number; host: string; sharePort?: boolean },
): string {
  const { idleTimeout = 0 } = app.config.serve ?? {}
  try {
    app.server = Bun.serve({
      port,
      hostname: bareHost(host),
      reusePort: sharePort,
      development: false,
      // We bound bodies; the runtime buffers none, and would refuse without a message.
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
 * The request handler. The framework creates an error object as it compiles; for its stack the
 * runtime would read the source map of the whole program.
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
