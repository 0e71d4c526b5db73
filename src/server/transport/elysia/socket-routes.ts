/** Sockets: signed upgrades, and frames handed over untouched. */

import type { ServerWebSocket, WebSocketHandler } from 'bun'
import type { Slices } from '../../../clock/turns.ts'
import { bareRequest, parseQuery } from '../../../sandbox/pipeline/http-message.ts'
import { dateHeader } from '../../../sandbox/pipeline/pipeline.ts'
import type { Registry } from '../../../sandbox/registry.ts'
import { FrameInbox } from '../../../sandbox/session/frame-inbox.ts'
import type { SocketConnection, SocketGroup } from '../../../sandbox/session/send-queue.ts'
import type { Session } from '../../../sandbox/session/session.ts'
import {
  openSession,
  type socketOf,
  type UpgradeOutcome,
} from '../../../sandbox/session/socket-upgrade.ts'
import { hubOf } from '../../../sandbox/session/subscription-hub.ts'
import { earlyRefusal, splitUrl, toResponse } from './http-response.ts'

/**
 * Upgrades by hand, instead of the framework's `.ws()`: that one parses frames before a handler
 * sees them, and turns every message into a promise.
 */
export function upgrades(registry: Registry, maxSockets: number) {
  const count = { open: 0 }
  const { requests } = registry.metrics
  const upgrade = ({ request, server }: Upgradable, opened: UpgradeOutcome) => {
    if ('response' in opened) return toResponse(opened.response)
    if (count.open >= maxSockets) return earlyRefusal('', 503, tooManySockets(maxSockets))
    const notUpgraded = () => {
      const { pathname, query } = splitUrl(request.url)
      const date = dateHeader(registry, bareRequest('GET', pathname, query))
      return notUpgradedResponse(request.headers, date)
    }
    if (!server) return notUpgraded()
    const connect = (ws: BunSocket) => new BunConnection(ws, server)
    if (server.upgrade(request, { data: socketHandlers(opened.open, connect, count) }))
      return undefined
    return notUpgraded()
  }
  /** All of one upgrade in one slice, so that thousands at once leave the thread in between. */
  const upgrading = function* (from: Upgradable, open: () => UpgradeOutcome): Slices<Answered> {
    const full = registry.memory.refusal()
    if (full !== null) return earlyRefusal('', 503, full)
    const opened = open()
    const wait = 'response' in opened ? opened.response.delivery?.ready : opened.ready
    if (!wait) return upgrade(from, opened)
    // The runtime would take a long wait for a client that has gone.
    from.server?.timeout?.(from.request, 0)
    yield wait
    return upgrade(from, opened)
  }
  return async (from: Upgradable, endpoint: Endpoint): Promise<Response | undefined> => {
    const arrivedMs = requests.arrival()
    const query = parseQuery(splitUrl(from.request.url).query)
    const sandbox = registry.find(endpoint.sandbox, query.AccessKeyId)
    const { socket, sandbox: id } = endpoint
    const owner = sandbox ? hubOf(sandbox) : registry
    const work = upgrading(from, () => openSession(registry, socket, query, id))
    const answered = await registry.turns.run(owner, work, 'an upgrade')
    requests.count(SOCKET_UPGRADE, answered?.status ?? 101, arrivedMs)
    return answered
  }
}

/** What answers a request to upgrade; nothing, where it has become a socket. */
type Answered = Response | Promise<Response> | undefined

/** Sockets for the runtime. The idle rule is ours: the runtime counts pushes and pongs as life. */
export const SOCKETS: WebSocketHandler<SocketHandlers> = {
  open: (ws) => ws.data.open(ws),
  message: (ws, message) => ws.data.message(message),
  drain: (ws) => ws.data.drain(),
  close: (ws) => ws.data.close(),
  idleTimeout: 0,
  sendPings: false,
  maxPayloadLength: 4 << 20,
  backpressureLimit: 64 << 20,
  closeOnBackpressureLimit: false,
}

/** What one socket does, which the runtime keeps with it. */
type SocketHandlers = ReturnType<typeof socketHandlers>

/** Why the runtime has made no socket of a request. */
export function notUpgradedResponse(
  headers: Headers,
  date: Record<string, string>,
): Response | Promise<Response> {
  if (headers.get('upgrade')?.toLowerCase() !== 'websocket') {
    const text = 'this path is a WebSocket: connect with ws://'
    return earlyRefusal('', 426, text, { ...UPGRADE, ...date })
  }
  const needed = 'Sec-WebSocket-Version: 13 and a Sec-WebSocket-Key of 16 bytes in base64'
  return earlyRefusal('', 400, `the upgrade to a WebSocket needs ${needed}`, date)
}

const tooManySockets = (most: number) =>
  `this server holds at most ${most} sockets (serve --max-sockets), this would be one more`

const UPGRADE = { upgrade: 'websocket' }
/** What upgrades are counted as. */
const SOCKET_UPGRADE = 'websocket'

type Endpoint = NonNullable<ReturnType<typeof socketOf>>

/** A request as the framework hands it over. */
export interface Upgradable {
  request: Request
  server: UpgradingServer | null
}

interface UpgradingServer extends Publisher {
  upgrade(request: Request, options: { data: unknown }): boolean
  timeout?(request: Request, seconds: number): void
}

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
      inbox = new FrameInbox(session, session.hub.inTurns, session.sandbox.memory)
    },
    message: (message: string | Uint8Array) => inbox?.receive(message),
    drain: () => session?.flush(),
    close: () => {
      count.open--
      if (session) session.hub.departures.add(session)
    },
  }
}

/** A socket of the runtime, and groups of them by its own way to publish. */
type BunSocket = ServerWebSocket<unknown>

/** What publishes to all sockets of a topic. */
interface Publisher {
  publish(topic: string, text: string): number
}

/** Topics are counted per server. */
const topicCounts = new WeakMap<Publisher, number>()

class BunConnection implements SocketConnection {
  constructor(
    readonly ws: BunSocket,
    readonly server: Publisher,
  ) {}

  send(frames: readonly string[]): void {
    const { ws } = this
    // Corked, many frames become one write.
    if (frames.length === 1) ws.sendText(frames[0] as string)
    else
      ws.cork(() => {
        for (const frame of frames) ws.sendText(frame)
      })
  }

  pendingBytes(): number {
    return this.ws.getBufferedAmount()
  }

  close(code: number, reason: string): void {
    this.ws.close(code, reason)
  }

  terminate(): void {
    this.ws.terminate()
  }

  /** Whoever is sent something by itself is sent first what was published before. */
  openGroup(): SocketGroup {
    const { server } = this
    const number = (topicCounts.get(server) ?? 0) + 1
    topicCounts.set(server, number)
    const topic = String(number)
    return {
      add(connection) {
        const isOurs = connection instanceof BunConnection && connection.server === server
        if (isOurs) connection.ws.subscribe(topic)
        return isOurs
      },
      remove(connection) {
        if (connection instanceof BunConnection) connection.ws.unsubscribe(topic)
      },
      send(frames) {
        for (const frame of frames) server.publish(topic, frame)
      },
    }
  }
}
