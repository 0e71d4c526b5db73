/** Sockets: signed upgrades, and frames handed over untouched. */
import type { ServerWebSocket } from 'bun'
import { isRefusal } from '../../contract/refusal.ts'
import { parseQuery } from '../../pipeline/http-message.ts'
import { refusalResponse } from '../../pipeline/refusal-response.ts'
import type { Registry } from '../../sandbox/registry.ts'
import type { Session } from '../../session/session.ts'
import type { SocketConnection } from '../../session/socket-connection.ts'
import { openSession, type socketOf } from '../../session/socket-upgrade.ts'
import { earlyRefusal, splitUrl, toResponse } from './http-response.ts'

type BunSocket = ServerWebSocket<unknown>

/**
 * Upgrades by hand, instead of the framework's `.ws()`: that one parses frames before a handler
 * sees them, and turns every message into a promise. The runtime's handlers find these functions
 * in `ws.data`.
 */
export function upgrades(registry: Registry, maxSockets: number) {
  const count = { open: 0 }
  return ({ request, server }: Upgradable, { socket, sandbox }: Endpoint) => {
    const opened = openSession(registry, socket, parseQuery(splitUrl(request.url).query), sandbox)
    if (isRefusal(opened)) return toResponse(refusalResponse(opened))
    if ('response' in opened) return toResponse(opened.response)
    if (count.open >= maxSockets)
      return earlyRefusal('', 503, `this server holds at most ${maxSockets} sockets`)
    if (server?.upgrade(request, { data: socketHandlers(opened, count) })) return undefined
    return notUpgradedResponse(request.headers)
  }
}

/** Why the runtime has made no socket of a request. */
function notUpgradedResponse(headers: Headers): Response | Promise<Response> {
  if (headers.get('upgrade')?.toLowerCase() !== 'websocket')
    return earlyRefusal('', 426, 'this path is a WebSocket: connect with ws://', UPGRADE)
  const needed = 'Sec-WebSocket-Version: 13 and a Sec-WebSocket-Key of 16 bytes in base64'
  return earlyRefusal('', 400, `the upgrade to a WebSocket needs ${needed}`)
}

const UPGRADE = { upgrade: 'websocket' }

type Endpoint = NonNullable<ReturnType<typeof socketOf>>

/** A request as the framework hands it over. */
export interface Upgradable {
  request: Request
  server: {
    upgrade(request: Request, options: { data: unknown }): boolean
    timeout?(request: Request, seconds: number): void
  } | null
}

function socketHandlers(open: (connection: SocketConnection) => Session, count: { open: number }) {
  let session: Session | null = null
  return {
    open: (ws: BunSocket) => {
      count.open++
      session = open(socketConnectionOf(ws))
    },
    message: (_: BunSocket, message: string | Uint8Array) => session?.receive(message),
    drain: () => session?.flush(),
    close: () => {
      count.open--
      session?.onClosed()
    },
  }
}

function socketConnectionOf(ws: BunSocket): SocketConnection {
  return {
    send: (frames) => {
      // Corked, many frames become one write.
      if (frames.length === 1) ws.sendText(frames[0] as string)
      else
        ws.cork(() => {
          for (const frame of frames) ws.sendText(frame)
        })
    },
    pendingBytes: () => ws.getBufferedAmount(),
    close: (code, reason) => ws.close(code, reason),
    terminate: () => ws.terminate(),
  }
}
