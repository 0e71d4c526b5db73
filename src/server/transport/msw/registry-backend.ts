/** A backend in the same process: pipeline and sessions, called without a network. */

import { oneSlice } from '../../../clock/turns.ts'
import { isRefusal, type Refusal } from '../../../contract/refusal.ts'
import { bareRequest, parseQuery } from '../../../sandbox/pipeline/http-message.ts'
import { routeOf } from '../../../sandbox/pipeline/operation-call.ts'
import {
  dateHeader,
  handleRequest,
  handleUnreadable,
  handleUnroutable,
} from '../../../sandbox/pipeline/pipeline.ts'
import type { Registry } from '../../../sandbox/registry.ts'
import { FrameInbox } from '../../../sandbox/session/frame-inbox.ts'
import type { SocketConnection } from '../../../sandbox/session/send-queue.ts'
import type { Session } from '../../../sandbox/session/session.ts'
import { callRefusal, openSession, socketOf } from '../../../sandbox/session/socket-upgrade.ts'
import { hubOf } from '../../../sandbox/session/subscription-hub.ts'
import { BODY_MAX, preflight, splitUrl, toResponse } from '../elysia/http-response.ts'
import { notUpgradedResponse } from '../elysia/socket-routes.ts'
import {
  type Backend,
  type BackendRequest,
  type BackendSocket,
  LostConnection,
  type SocketListener,
} from './backend.ts'

/**
 * The sandboxes of a registry, without a port: the key of a request selects one, as everywhere.
 *
 * @param sandbox the one to use for every key
 */
export function registryBackend(registry: Registry, sandbox?: string): Backend {
  const base = sandbox === undefined ? '' : `/s/${encodeURIComponent(sandbox)}`
  return {
    ownUrls: [],
    request: async (request) => answer(registry, { ...request, path: base + request.path }),
    connect: async (path, listener) => connect(registry, base + path, listener),
  }
}

async function answer(registry: Registry, request: BackendRequest): Promise<Response> {
  const { method, body: bytes } = request
  const { pathname: path, query } = splitUrl(request.path)
  const route = routeOf(method, path)
  if (isRefusal(route)) return answerWithoutRoute(registry, request)
  const { operation, params, sandbox } = route
  if (operation.method !== 'GET' && bytes && bytes.length > BODY_MAX)
    return toResponse(
      handleUnreadable(registry, operation, tooLarge(bytes.length), {
        method,
        path,
        query,
        sandbox,
      }),
    )
  const body = operation.method === 'GET' || !bytes ? '' : UTF8.decode(bytes)
  const contentType = request.headers.get('content-type')
  const call = { method, path, params, query, body, contentType, sandbox }
  const answered = await handleRequest(registry, operation, call)
  if (answered.delivery?.drop === 'before') {
    await answered.delivery.ready
    throw new LostConnection('a scenario has dropped the connection')
  }
  const response = await toResponse(answered)
  return method === 'HEAD' ? new Response(null, response) : response
}

/** It leaves a byte order mark in the text, as on a port. */
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })

const tooLarge = (declaredBytes: number): Refusal<'tooLarge'> => ({
  refused: 'tooLarge',
  maxBytes: BODY_MAX,
  declaredBytes,
})

/** Answers what is no operation: a preflight, a socket without an upgrade, or an unknown call. */
async function answerWithoutRoute(
  registry: Registry,
  { method, path: fullPath, headers }: BackendRequest,
): Promise<Response> {
  const { pathname: path, query } = splitUrl(fullPath)
  if (method === 'OPTIONS') return toResponse(preflight(registry, { headers, url: fullPath }))
  if (method === 'GET' && socketOf(path)) {
    const opened = await openUpgrade(registry, path, query)
    if (opened instanceof Response) return opened
    return notUpgradedResponse(headers, dateHeader(registry, bareRequest(method, path, query)))
  }
  const request = bareRequest(method, path, query)
  return toResponse(handleUnroutable(registry, callRefusal(method, path), request))
}

async function connect(
  registry: Registry,
  fullPath: string,
  listener: SocketListener,
): Promise<BackendSocket | null> {
  const { pathname: path, query } = splitUrl(fullPath)
  const opened = await openUpgrade(registry, path, query)
  if (opened instanceof Response) return null
  const session = opened({
    send: (frames) => {
      for (const frame of frames) listener.frame(frame)
    },
    // Frames given to msw count as sent.
    pendingBytes: () => 0,
    close: (code, reason) => listener.closed(code, reason),
    terminate: () => listener.closed(1006, ''),
  })
  const inbox = new FrameInbox(session, session.hub.inTurns, session.sandbox.memory)
  return {
    send: (frame) => inbox.receive(frame),
    close: () => session.hub.departures.add(session),
  }
}

/** Opens a session, or returns the response in its place. */
async function openUpgrade(
  registry: Registry,
  path: string,
  query: string,
): Promise<Response | ((connection: SocketConnection) => Session)> {
  const endpoint = socketOf(path)
  if (!endpoint) {
    const request = bareRequest('GET', path, query)
    return toResponse(handleUnroutable(registry, { refused: 'path' }, request))
  }
  const read = parseQuery(query)
  const sandbox = registry.find(endpoint.sandbox, read.AccessKeyId)
  const address = { sandbox: endpoint.sandbox, path }
  const work = oneSlice(() => openSession(registry, endpoint.socket, read, address))
  const opened = await registry.turns.run(sandbox ? hubOf(sandbox) : registry, work)
  if ('response' in opened) return toResponse(opened.response)
  await opened.ready
  return opened.open
}
