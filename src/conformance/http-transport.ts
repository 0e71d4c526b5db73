/** Carries requests over HTTP and sockets over WebSocket. Every wait is bounded. */
import { UserError } from '../user-error.ts'
import { Flood } from './flood.ts'
import { openSocket } from './socket-opening.ts'
import type { TargetTransport, TransportResponse } from './target-transport.ts'
import { UnreadFrames } from './unread-frames.ts'
import { upgradeResponse } from './upgrade-response.ts'

const MIB = 1024 * 1024

/**
 * How long an answer or the opening of a socket may take, how much of an answer is read, and how
 * much is kept unread of one socket and of all together.
 */
const BOUNDS = {
  answerMs: 15_000,
  maxBytes: 8 * MIB,
  unreadBytes: 64 * MIB,
  allUnreadBytes: 256 * MIB,
}

/**
 * A transport to a base URL: `http://127.0.0.1:4010`; a UserError for what is no answer.
 *
 * @param headers are sent with each request besides
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
      // Without the query, in which the credentials stand.
      throw new UserError(`${path.split('?')[0]} is not answered (${errorReason(error)})`)
    }
  }
  return {
    base,
    request: ({ method, path, body, isAgain }) => {
      const json = { body, headers: { ...JSON_BODY, ...headers } }
      const sent = { method, headers, ...(body === undefined ? {} : json) }
      // What is signed goes nowhere else.
      const options = { ...sent, redirect: 'manual' } as const
      const waitMs = isAgain ? LONGER * answerMs : answerMs
      return ask(path, (url) => fetch(url, { ...options, signal: AbortSignal.timeout(waitMs) }))
    },
    async connect(path, isAgain) {
      const place = `${base.replace(/^http/, 'ws')}${path}`
      const waitMs = isAgain ? LONGER * answerMs : answerMs
      const socket = await openSocket(place, waitMs, unread)
      // A client's socket does not show the answer that refused it, so it is asked for.
      return socket ?? ask(path, (url) => upgradeResponse(url, waitMs, maxBytes))
    },
  }
}

/** So many times as long for what was not answered before: the machine may be busy. */
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
