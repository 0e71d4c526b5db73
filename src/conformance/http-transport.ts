/** Carries requests over HTTP and sockets over WebSocket. Every wait is bounded. */
import { hostClock } from '../clock/system-clock.ts'
import { webSocketClass } from '../platform/web-socket.ts'
import { UserError } from '../user-error.ts'
import type { TargetTransport, TransportResponse, TransportSocket } from './target-transport.ts'
import { upgradeResponse } from './upgrade-response.ts'

/** How long an answer or the opening of a socket may take, and how much of an answer is read. */
const BOUNDS = { answerMs: 15_000, maxBytes: 64 * 1024 * 1024 }

/** A transport to a base URL: `http://127.0.0.1:4010`; a UserError for what is no answer. */
export function httpTransport(
  baseUrl: string,
  bounds: Partial<typeof BOUNDS> = {},
): TargetTransport {
  const base = baseUrl.replace(/\/+$/, '')
  const { answerMs, maxBytes } = { ...BOUNDS, ...bounds }
  const ask = async (path: string, send: (url: string) => Promise<Response>) => {
    try {
      return await readResponse(await send(`${base}${path}`), maxBytes)
    } catch (error) {
      if (error instanceof UserError) throw error
      // Without the query, in which the credentials stand.
      throw new UserError(`${path.split('?')[0]} is not answered (${errorReason(error)})`)
    }
  }
  return {
    request: ({ method, path, body }) => {
      const sent = { method, ...(body === undefined ? {} : { body, headers: JSON_BODY }) }
      return ask(path, (url) => fetch(url, { ...sent, signal: AbortSignal.timeout(answerMs) }))
    },
    async connect(path) {
      const socket = await openSocket(`${base.replace(/^http/, 'ws')}${path}`, answerMs)
      // A client's socket does not show the answer that refused it, so it is asked for.
      return socket ?? ask(path, (url) => upgradeResponse(url, answerMs))
    },
  }
}

const JSON_BODY = { 'content-type': 'application/json' }

/** `ConnectionRefused`, `TimeoutError`. */
function errorReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : error.name
}

async function readResponse(response: Response, maxBytes: number): Promise<TransportResponse> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.byteLength
    if (length > maxBytes) throw new UserError(`an answer is longer than ${maxBytes} bytes`)
    parts.push(part)
  }
  const text = Buffer.concat(parts).toString('utf8')
  const contentType = response.headers.get('content-type') ?? ''
  const retryAfter = response.headers.get('retry-after')
  return {
    status: response.status,
    contentType,
    text,
    ...(retryAfter === null ? {} : { retryAfter }),
  }
}

/** Not every runtime's socket can. */
const canPing = (socket: object): socket is { ping(): void } => 'ping' in socket

/** An open socket; null when it did not open. */
function openSocket(url: string, answerMs: number): Promise<TransportSocket | null> {
  const socket = new (webSocketClass())(url)
  const frames: string[] = []
  const waiting = new Set<() => void>()
  let closeCode: number | null = null
  const stir = () => {
    for (const wake of [...waiting]) wake()
  }
  const stirred = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel = hostClock.startTimer(ms, () => wake())
      const wake = () => {
        cancel()
        waiting.delete(wake)
        resolve()
      }
      waiting.add(wake)
      if (frames.length > 0 || closeCode !== null) wake()
    })
  socket.binaryType = 'arraybuffer'
  socket.onmessage = ({ data }) => {
    frames.push(typeof data === 'string' ? data : new TextDecoder().decode(data))
    stir()
  }
  const carried: TransportSocket = {
    frames,
    get closeCode() {
      return closeCode
    },
    send: (data) => {
      if (socket.readyState === socket.OPEN) socket.send(data as string)
    },
    close: () => socket.close(),
    waitForActivity: stirred,
  }
  if (canPing(socket)) carried.ping = () => socket.ping()
  return new Promise((resolve) => {
    const cancel = hostClock.startTimer(answerMs, () => {
      socket.close()
      resolve(null)
    })
    socket.onopen = () => {
      cancel()
      resolve(carried)
    }
    socket.onclose = ({ code }) => {
      cancel()
      closeCode = code
      stir()
      resolve(null)
    }
  })
}
