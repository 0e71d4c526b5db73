/** Requests and sockets without a network: the same pipeline and sessions, called directly. */

import { runToEnd } from '../../../clock/turns.ts'
import { isRefusal } from '../../../contract/refusal.ts'
import {
  bareRequest,
  type HttpResponse,
  parseQuery,
  refusalResponse,
} from '../../../sandbox/pipeline/http-message.ts'
import { routeOf } from '../../../sandbox/pipeline/operation-call.ts'
import { handleUnroutable, requestWork } from '../../../sandbox/pipeline/pipeline.ts'
import type { Registry } from '../../../sandbox/registry.ts'
import type { SocketConnection } from '../../../sandbox/session/send-queue.ts'
import type { Session } from '../../../sandbox/session/session.ts'
import {
  callRefusal,
  openSession,
  type RefusedUpgrade,
  socketOf,
  type UpgradeOutcome,
} from '../../../sandbox/session/socket-upgrade.ts'

/** The client's side of a socket. */
export interface MemorySocket {
  /** Frames received so far, in order. */
  readonly frames: string[]
  /** Close code once it is closed: 1006 when it was dropped. */
  readonly closeCode: number | null
  send(text: string | Uint8Array): void
  close(): void
}

export interface MemoryTransport {
  request(method: string, pathAndQuery: string, body?: string): HttpResponse
  /** The socket, or the response in its place. */
  connect(pathAndQuery: string): MemorySocket | HttpResponse
}

export function memoryTransport(registry: Registry): MemoryTransport {
  return {
    request(method, pathAndQuery, body = '') {
      const [path, query] = splitQuery(pathAndQuery)
      const route = routeOf(method, path)
      if (isRefusal(route))
        return handleUnroutable(
          registry,
          callRefusal(method, path),
          bareRequest(method, path, query),
        )
      const { operation, params, sandbox } = route
      const request = { method, path, params, query, body, sandbox }
      return runToEnd(requestWork(registry, operation, request).work)
    },
    connect(pathAndQuery) {
      const [path, query] = splitQuery(pathAndQuery)
      const endpoint = socketOf(path)
      if (!endpoint) return refusalResponse({ refused: 'path' })
      const address = { sandbox: endpoint.sandbox, path }
      const opened = openSession(registry, endpoint.socket, parseQuery(query), address)
      return 'response' in opened ? opened.response : memorySocketOf(opened)
    },
  }
}

function memorySocketOf({ ready, open }: OpenedUpgrade): MemorySocket {
  const frames: string[] = []
  let closeCode: number | null = null
  let session: Session | null = null
  let hasGone = false
  const waiting: (string | Uint8Array)[] = []
  const connection: SocketConnection = {
    send: (sent) => {
      frames.push(...sent)
    },
    pendingBytes: () => 0,
    close: (code) => {
      closeCode = code
    },
    terminate: () => {
      closeCode = 1006
    },
  }
  const begin = () => {
    if (hasGone) return
    session = open(connection)
    for (const text of waiting.splice(0)) runToEnd(session.receive(text))
  }
  if (ready) void ready.then(begin)
  else begin()
  return {
    frames,
    get closeCode() {
      return closeCode
    },
    send: (text) => (session ? runToEnd(session.receive(text)) : void waiting.push(text)),
    close: () => {
      hasGone = true
      session?.onClosed()
    },
  }
}

type OpenedUpgrade = Exclude<UpgradeOutcome, RefusedUpgrade>

function splitQuery(pathAndQuery: string): [path: string, query: string] {
  const mark = pathAndQuery.indexOf('?')
  return mark === -1
    ? [pathAndQuery, '']
    : [pathAndQuery.slice(0, mark), pathAndQuery.slice(mark + 1)]
}
