/** Sockets: signed upgrades, and frames without re-encoding. */

import type { ServerWebSocket, WebSocketHandler } from 'bun'
import type { Slices } from '../../../clock/turns.ts'
import { parseQuery } from '../../../sandbox/pipeline/http-message.ts'
import { dateHeader } from '../../../sandbox/pipeline/pipeline.ts'
import { bringUpToDate } from '../../../sandbox/pipeline/shared-request.ts'
import type { Registry } from '../../../sandbox/registry.ts'
import { StorageError } from '../../../sandbox/sandbox-store.ts'
import { FrameInbox } from '../../../sandbox/session/frame-inbox.ts'
import type { SocketConnection, SocketGroup } from '../../../sandbox/session/send-queue.ts'
import type { Session } from '../../../sandbox/session/session.ts'
import {
  openSession,
  type SocketEndpoint,
  type UpgradeOutcome,
} from '../../../sandbox/session/socket-upgrade.ts'
import { hubOf } from '../../../sandbox/session/subscription-hub.ts'
import { earlyRefusal, toResponse } from './http-response.ts'

/**
 * Upgrades by hand, instead of the framework's `.ws()`, which parses frames before a handler sees
 * them, and turns every message into a promise.
 */
export function upgrades(registry: Registry, maxSockets: number) {
  const count = { open: 0 }
  const { requests } = registry.metrics
  const upgrade = ({ request, server, address }: Upgradable, opened: UpgradeOutcome) => {
    if ('response' in opened) return toResponse(opened.response)
    if (count.open >= maxSockets) return earlyRefusal('', 503, tooManySockets(maxSockets))
    const notUpgraded = () => {
      const date = dateHeader(registry, address)
      return notUpgradedResponse(request.headers, date)
    }
    if (!server) return notUpgraded()
    const data = new SocketHandlers(opened.open, server, count)
    if (server.upgrade(request, { data })) return undefined
    return notUpgraded()
  }
  /** All of one upgrade in one slice, so that thousands at once yield the thread in between. */
  const upgrading = function* (from: Upgradable, open: () => UpgradeOutcome): Slices<Answered> {
    const full = registry.memory.refusal()
    if (full !== null) return earlyRefusal('', 503, full)
    const opened = open()
    const wait = 'response' in opened ? opened.response.delivery?.ready : opened.ready
    if (!wait) return upgrade(from, opened)
    // The runtime would close a long-waiting connection as idle.
    from.server?.timeout?.(from.request, 0)
    yield wait
    return upgrade(from, opened)
  }
  return async (from: Upgradable, socket: SocketEndpoint): Promise<Response | undefined> => {
    const arrivedMs = requests.arrival()
    const { address } = from
    const query = parseQuery(address.query)
    try {
      if (registry.shared) await bringUpToDate(registry, address.sandbox, query.AccessKeyId)
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      requests.count(SOCKET_UPGRADE, 503, arrivedMs)
      return earlyRefusal('', 503, error.message)
    }
    const sandbox = registry.find(address.sandbox, query.AccessKeyId)
    const owner = sandbox ? hubOf(sandbox) : registry
    const work = upgrading(from, () => openSession(registry, socket, query, address))
    const answered = await registry.turns.run(owner, work, 'an upgrade')
    requests.count(SOCKET_UPGRADE, answered?.status ?? 101, arrivedMs)
    return answered
  }
}

/** The response to an upgrade; none where it has become a socket. */
type Answered = Response | Promise<Response> | undefined

/** Socket handlers. The idle rule is ours: the runtime counts pushes and pongs as activity. */
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

/** The response to a request that the runtime has not upgraded. */
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
/** The name under which upgrades are counted. */
const SOCKET_UPGRADE = 'websocket'

/** A request with the framework's server. */
export interface Upgradable {
  request: Request
  server: UpgradingServer | null
  /** The whole path, the query string, and the sandbox that the path names. */
  address: { path: string; query: string; sandbox: string | undefined }
}

interface UpgradingServer extends Publisher {
  upgrade(request: Request, options: { data: unknown }): boolean
  timeout?(request: Request, seconds: number): void
}

/** The handlers of one socket, which the runtime keeps with it. */
class SocketHandlers {
  private session: Session | null = null
  private inbox: FrameInbox | null = null

  constructor(
    /** Dropped once it is open: it holds the request with its headers, a kilobyte or two. */
    private opening: ((connection: SocketConnection) => Session) | null,
    private readonly server: Publisher,
    private readonly count: { open: number },
  ) {}

  open(ws: BunSocket): void {
    const { opening, server, count } = this
    count.open++
    if (!opening) return
    this.opening = null
    const session = opening(new BunConnection(ws, server))
    this.session = session
    this.inbox = new FrameInbox(session, session.hub.inTurns, session.sandbox.memory)
  }

  message(message: string | Uint8Array): void {
    this.inbox?.receive(message)
  }

  drain(): void {
    this.session?.flush()
  }

  close(): void {
    this.count.open--
    if (this.session) this.session.hub.departures.add(this.session)
  }
}

/** A socket of the runtime, and groups of sockets that use its publishing. */
type BunSocket = ServerWebSocket<unknown>

/** Publishes to all sockets of a topic. */
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

  /** A frame for one member is sent after what was published before. */
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
