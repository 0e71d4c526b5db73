/** Sockets: signed upgrades, and frames handed over untouched. */
import type { ServerWebSocket } from 'bun'
import { isRefusal } from '../../contract/refusal.ts'
import { json, readQuery } from '../../pipeline/exchange.ts'
import { refuse } from '../../pipeline/refusing.ts'
import type { Registry } from '../../sandbox/registry.ts'
import type { Session } from '../../session/session.ts'
import { admit, type socketOf } from '../../session/upgrade.ts'
import type { Wire } from '../../session/wire.ts'
import { respond, split } from './http.ts'

type Raw = ServerWebSocket<unknown>

/**
 * Upgrades by hand, instead of the framework's `.ws()`: that one parses frames before a handler
 * sees them, and turns every message into a promise. The runtime's handlers find these functions
 * in `ws.data`.
 */
export function upgrades(registry: Registry, most: number) {
  const count = { open: 0 }
  return ({ request, server }: Upgradable, { socket, sandbox }: Place) => {
    const opened = admit(registry, socket, readQuery(split(request.url).query), sandbox)
    if (isRefusal(opened)) return respond(refuse(opened))
    if ('instead' in opened) return respond(opened.instead)
    if (count.open >= most) return respond(full(most))
    if (server?.upgrade(request, { data: handlers(opened, count) })) return undefined
    return new Response('this path is a WebSocket: connect with ws://', { status: 426 })
  }
}

type Place = NonNullable<ReturnType<typeof socketOf>>

/** A request as the framework hands it over. */
export interface Upgradable {
  request: Request
  server: { upgrade(request: Request, options: { data: unknown }): boolean } | null
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
