/** Sockets: signed upgrades, and frames handed over untouched. */
import { oneSlice } from '../../clock/turns.ts'
import { isRefusal } from '../../contract/refusal.ts'
import { type HttpResponse, jsonResponse, parseQuery } from '../../pipeline/http-message.ts'
import { refusalResponse } from '../../pipeline/refusal-response.ts'
import type { Registry } from '../../sandbox/registry.ts'
import { FrameInbox } from '../../session/frame-inbox.ts'
import type { Session } from '../../session/session.ts'
import type { SocketConnection } from '../../session/socket-connection.ts'
import { openSession, type socketOf } from '../../session/socket-upgrade.ts'
import { hubOf } from '../../session/subscription-hub.ts'
import { BunConnection, type BunSocket, type Publisher } from './bun-connection.ts'
import { splitUrl, toResponse } from './http-response.ts'

/**
 * Upgrades by hand, instead of the framework's `.ws()`: that one parses frames before a handler
 * sees them, and turns every message into a promise. The runtime's handlers find these functions
 * in `ws.data`.
 */
export function upgrades(registry: Registry, maxSockets: number) {
  const count = { open: 0 }
  const upgrade = (from: Upgradable, endpoint: Endpoint, query: Query) => {
    const { request, server } = from
    const opened = openSession(registry, endpoint.socket, query, endpoint.sandbox)
    if (isRefusal(opened)) return refusalResponse(opened)
    if ('response' in opened) return opened.response
    if (count.open >= maxSockets) return serverFullResponse(maxSockets)
    if (!server) return NO_UPGRADE
    const connect = (ws: BunSocket) => new BunConnection(ws, server)
    const isUpgraded = server.upgrade(request, { data: socketHandlers(opened, connect, count) })
    return isUpgraded ? undefined : NO_UPGRADE
  }
  return async (from: Upgradable, endpoint: Endpoint): Promise<Response | undefined> => {
    const query = parseQuery(splitUrl(from.request.url).query)
    const sandbox = registry.find(endpoint.sandbox, query.AccessKeyId)
    const owner = sandbox ? hubOf(sandbox) : registry
    const work = oneSlice(() => upgrade(from, endpoint, query))
    const answer = await registry.turns.run<HttpResponse | undefined>(owner, work)
    return answer && toResponse(answer)
  }
}

const NO_UPGRADE: HttpResponse = {
  status: 426,
  contentType: 'text/plain',
  body: 'this path is a WebSocket: connect with ws://',
}

type Query = Readonly<Record<string, string>>
type Endpoint = NonNullable<ReturnType<typeof socketOf>>

/** A request as the framework hands it over. */
export interface Upgradable {
  request: Request
  server: (Publisher & { upgrade(request: Request, options: { data: unknown }): boolean }) | null
}

const serverFullResponse = (maxSockets: number) =>
  jsonResponse(
    503,
    JSON.stringify({ code: '503', msg: `this server holds at most ${maxSockets} sockets` }),
  )

function socketHandlers(
  open: (connection: SocketConnection) => Session,
  connect: (ws: BunSocket) => SocketConnection,
  count: { open: number },
) {
  let session: Session | null = null
  let inbox: FrameInbox | null = null
  return {
    open: (ws: BunSocket) => {
      count.open++
      session = open(connect(ws))
      inbox = new FrameInbox(session, session.hub.inTurns)
    },
    message: (_: BunSocket, message: string | Uint8Array) => inbox?.receive(message),
    drain: () => session?.flush(),
    close: () => {
      count.open--
      if (session) session.hub.departures.add(session)
    },
  }
}
