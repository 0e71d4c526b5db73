/**
 * Requests and sockets without a network: the same pipeline and the same sessions, called directly.
 */
import { isRefusal } from '../../contract/refusal.ts'
import { type Answer, bareRequest, readQuery } from '../../pipeline/exchange.ts'
import { answer, answerNothing } from '../../pipeline/pipeline.ts'
import { refuse } from '../../pipeline/refusing.ts'
import { routeOf } from '../../pipeline/router.ts'
import type { Registry } from '../../sandbox/registry.ts'
import type { Session } from '../../session/session.ts'
import { admit, socketOf } from '../../session/upgrade.ts'

/** A socket seen from the client. */
export interface MemorySocket {
  /** Frames received so far, in order. */
  readonly frames: string[]
  /** Close code once it is closed: 1006 when it was dropped. */
  readonly closeCode: number | null
  send(text: string | Uint8Array): void
  close(): void
}

export interface Memory {
  request(method: string, pathAndQuery: string, body?: string): Answer
  /** The socket, or the answer that was given instead of one. */
  connect(pathAndQuery: string): MemorySocket | Answer
}

export function memory(registry: Registry): Memory {
  return {
    request(method, pathAndQuery, body = '') {
      const [path, query] = split(pathAndQuery)
      const route = routeOf(method, path)
      if (isRefusal(route)) return answerNothing(registry, route, bareRequest(method, path, query))
      const { operation, params, sandbox } = route
      return answer(registry, operation, { method, path, params, query, body, sandbox })
    },
    connect(pathAndQuery) {
      const [path, query] = split(pathAndQuery)
      const place = socketOf(path)
      if (!place) return refuse({ refused: 'path' })
      const opened = admit(registry, place.socket, readQuery(query), place.sandbox)
      if (isRefusal(opened)) return refuse(opened)
      return 'instead' in opened ? opened.instead : connected(opened)
    },
  }
}

function connected(open: (wire: MemoryWire) => Session): MemorySocket {
  const frames: string[] = []
  let closeCode: number | null = null
  const session = open({
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
  })
  return {
    frames,
    get closeCode() {
      return closeCode
    },
    send: (text) => session.receive(text),
    close: () => session.closed(),
  }
}

type MemoryWire = Parameters<Extract<ReturnType<typeof admit>, (wire: never) => Session>>[0]

function split(pathAndQuery: string): [path: string, query: string] {
  const mark = pathAndQuery.indexOf('?')
  return mark === -1
    ? [pathAndQuery, '']
    : [pathAndQuery.slice(0, mark), pathAndQuery.slice(mark + 1)]
}
