/** The socket paths: signed upgrades, and frames handed over untouched. */
import type { ServerWebSocket } from 'bun'
import { Elysia } from 'elysia'
import { socketPlacesOf } from '../../contract/paths.ts'
import { isRefusal } from '../../contract/refusal.ts'
import { json, readQuery } from '../../pipeline/exchange.ts'
import { refuse } from '../../pipeline/refusing.ts'
import type { Registry } from '../../sandbox/registry.ts'
import type { Session } from '../../session/session.ts'
import { admit, SOCKETS } from '../../session/upgrade.ts'
import type { Wire } from '../../session/wire.ts'
import { basedPaths, respond, split } from './http.ts'

type Raw = ServerWebSocket<unknown>

/**
 * Plain routes that upgrade, instead of `.ws()`: that one parses frames before a handler sees them,
 * and turns every message into a promise. The runtime's handlers find these functions in `ws.data`.
 */
export function socketRoutes(registry: Registry, most: number) {
  const app = new Elysia()
  const count = { open: 0 }
  for (const socket of SOCKETS) {
    for (const path of basedPaths(socketPlacesOf(socket.dialect))) {
      app.get(path, ({ request, server, params }) => {
        const opened = admit(
          registry,
          socket,
          readQuery(split(request.url).query),
          (params as Record<string, string> | undefined)?.sandbox,
        )
        if (isRefusal(opened)) return respond(refuse(opened))
        if ('instead' in opened) return respond(opened.instead)
        if (count.open >= most) return respond(full(most))
        if (server?.upgrade(request, { data: handlers(opened, count) })) return undefined
        return new Response('this path is a WebSocket: connect with ws://', { status: 426 })
      })
    }
  }
  return app
}

const full = (most: number) =>
  json(503, JSON.stringify({ code: '503', msg: `this server holds at most ${most} sockets` }))

function handlers(open: (wire: Wire) => Session, count: { open: number }) {
  let session: Session | null = null
  return {
    open: (ws: Raw) => {
      count.open++
      session = open(wireOf(ws))
    },
    message: (_: Raw, message: string | Uint8Array) => session?.receive(message),
    drain: () => session?.flush(),
    close: () => {
      count.open--
      session?.closed()
    },
  }
}

function wireOf(ws: Raw): Wire {
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
