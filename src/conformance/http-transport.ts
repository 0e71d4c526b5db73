/** Transports requests over HTTP and sockets over WebSocket. Every wait is bounded. */

import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { hostClock } from '../clock/system-clock.ts'
import { UserError } from '../platform/user-error.ts'
import { webSocketClass } from '../platform/web-socket.ts'
import { Flood } from './case-outcome.ts'
import type { TargetTransport, TransportResponse, TransportSocket } from './target-transport.ts'

const MIB = 1024 * 1024

/**
 * Timeout of a response or an upgrade, maximum response size, and maximum unread bytes of one
 * socket and of all.
 */
const BOUNDS = {
  answerMs: 15_000,
  maxBytes: 8 * MIB,
  unreadBytes: 64 * MIB,
  allUnreadBytes: 256 * MIB,
}

/**
 * A transport to a base URL: `http://127.0.0.1:4010`; a UserError for a missing response.
 *
 * @param headers added to each request
 */
export function httpTransport(
  baseUrl: string,
  bounds: Partial<typeof BOUNDS> = {},
  headers: Readonly<Record<string, string>> = {},
): TargetTransport {
  const base = baseUrl.replace(/\/+$/, '')
  const { answerMs, maxBytes, unreadBytes, allUnreadBytes } = { ...BOUNDS, ...bounds }
  const unread = new UnreadFrames(unreadBytes, allUnreadBytes)
  const ask = async (path: string, send: (url: string) => Promise<Response>) => {
    try {
      return await readResponse(await send(`${base}${path}`), maxBytes)
    } catch (error) {
      if (error instanceof Flood) throw new Flood(`${path.split('?')[0]}: ${error.message}`)
      // Without the query, which contains the credentials.
      throw new UserError(`${path.split('?')[0]} is not answered (${errorReason(error)})`)
    }
  }
  return {
    base,
    request: ({ method, path, body, isAgain }) => {
      const json = { body, headers: { ...JSON_BODY, ...headers } }
      const sent = { method, headers, ...(body === undefined ? {} : json) }
      // Signed requests must not follow redirects.
      const options = { ...sent, redirect: 'manual' } as const
      const waitMs = isAgain ? LONGER * answerMs : answerMs
      return ask(path, (url) => fetch(url, { ...options, signal: AbortSignal.timeout(waitMs) }))
    },
    async connect(path, isAgain, signedAgain = () => path) {
      const place = `${base.replace(/^http/, 'ws')}${path}`
      const waitMs = isAgain ? LONGER * answerMs : answerMs
      const socket = await openSocket(place, waitMs, unread)
      // A client socket hides the response that refused it, so it is requested again.
      return socket ?? ask(signedAgain(), (url) => upgradeResponse(url, waitMs, maxBytes))
    },
  }
}

/** Factor on the timeout after a missing response: the machine may be busy. */
const LONGER = 4

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
    if (length > maxBytes) throw new Flood(`an answer is longer than ${maxBytes} bytes`)
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

// A WebSocket as a transport: frames are kept until they are read, within limits.

/** Not every runtime's socket supports it. */
const canPing = (socket: object): socket is { ping(): void } => 'ping' in socket

/** An open socket; null when it did not open. */
function openSocket(
  url: string,
  answerMs: number,
  unreadFrames: UnreadFrames,
): Promise<TransportSocket | null> {
  const socket = new (webSocketClass())(url)
  const frames: string[] = []
  const waiting = new Set<() => void>()
  let [closeCode, flaw]: [number | null, string | null] = [null, null]
  const unread = unreadFrames.ofSocket(frames)
  const stir = () => {
    for (const resume of [...waiting]) resume()
  }
  const stirred = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel = hostClock.startTimer(ms, () => resume())
      const resume = () => {
        cancel()
        waiting.delete(resume)
        resolve()
      }
      waiting.add(resume)
      if (frames.length > 0 || closeCode !== null) resume()
    })
  socket.binaryType = 'arraybuffer'
  socket.onmessage = ({ data }) => {
    if (flaw !== null) return
    const text = typeof data === 'string' ? data : new TextDecoder().decode(data)
    flaw = unread.add(text.length)
    if (flaw === null) frames.push(text)
    else {
      frames.length = 0
      unread.end()
      socket.close()
    }
    stir()
  }
  const carried: TransportSocket = {
    frames,
    get closeCode() {
      return closeCode
    },
    get flaw() {
      return flaw
    },
    send: (data) => {
      if (socket.readyState === socket.OPEN) socket.send(data as string)
    },
    close: () => {
      unread.end()
      socket.close()
    },
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

// Unread bytes of sockets.

/** Counts the unread bytes of a transport's sockets: each is limited, and their total. */
class UnreadFrames {
  private readonly counts = new Set<{ bytes: number; frames: readonly string[] }>()

  /** @param oneMax @param allMax bytes, of one socket and of all */
  constructor(
    private readonly oneMax: number,
    private readonly allMax: number,
  ) {}

  /** Counts the frames of one socket, which its reader removes. */
  ofSocket(frames: readonly string[]): SocketCount {
    const own = { bytes: 0, frames }
    this.counts.add(own)
    return {
      add: (bytes) => {
        own.bytes += bytes
        // Read frames are subtracted only when needed.
        if (own.bytes > this.oneMax) own.bytes = bytesOf(frames) + bytes
        if (own.bytes > this.oneMax)
          return `frames of more than ${this.oneMax} bytes are sent at once`
        if (this.total <= this.allMax) return null
        for (const count of this.counts) count.bytes = bytesOf(count.frames)
        own.bytes += bytes
        if (this.total <= this.allMax) return null
        return `frames of more than ${this.allMax} bytes are sent at once on all sockets`
      },
      end: () => void this.counts.delete(own),
    }
  }

  private get total(): number {
    let bytes = 0
    for (const count of this.counts) bytes += count.bytes
    return bytes
  }
}

interface SocketCount {
  /** Adds a frame before it is kept; returns the reason if it exceeds a limit. */
  add(bytes: number): string | null
  /** The socket gets no more frames. */
  end(): void
}

const bytesOf = (frames: readonly string[]): number =>
  frames.reduce((sum, { length }) => sum + length, 0)

// A service's response to a refused upgrade: browsers use another source.

/**
 * The response; rejects on a timeout, and when a socket is opened after all. A Flood reports a
 * response beyond the limit.
 */
export async function upgradeResponse(
  url: string,
  answerMs: number,
  maxBytes: number,
): Promise<Response> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const send = url.startsWith('https') ? httpsRequest : httpRequest
    const sent = send(url, { headers: HEADERS, signal: AbortSignal.timeout(answerMs) }, resolve)
    sent.on('error', reject)
    sent.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(new Error('the socket is opened the second time'))
    })
    sent.end()
  })
  const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const body = await wholeOf(answer, maxBytes)
  return new Response(body, { status: answer.statusCode ?? 0, headers })
}

async function wholeOf(
  answer: IncomingMessage,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let length = 0
  // Leaving the loop closes the connection.
  for await (const part of answer as AsyncIterable<Uint8Array>) {
    length += part.byteLength
    if (length > maxBytes) throw new Flood(`an answer is longer than ${maxBytes} bytes`)
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

const HEADERS = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}
