/**
 * What a recorder has seen between a client and a service: the data of the kinds that name no
 * market. Secrets are replaced in all of it; docs/tape-format.md says by what.
 */

/** Bytes of a body or a message: text where they are UTF-8, else base64. */
type RequestBody =
  | { requestBody: string; requestBase64?: undefined }
  | { requestBody?: undefined; requestBase64: string }

type ResponseBody =
  | { responseBody: string; responseBase64?: undefined }
  | { responseBody?: undefined; responseBase64: string }

type Message = { text: string; base64?: undefined } | { text?: undefined; base64: string }

/** One HTTP request and its answer. The event's time is the end of the answer. */
export type HttpExchangeData = RequestBody &
  ResponseBody & {
    /** When the request began to come in, ms since 1970. */
    startedMs: number
    method: string
    /** Path and query byte for byte, but for secrets. */
    url: string
    /** Names in lower case; of one that came several times, the values joined by `, `. */
    requestHeaders: Record<string, string>
    status: number
    headers: Record<string, string>
    /** Why this is not the service's whole answer, in words; absent when it is. */
    error?: string
  }

/** One message on a socket. The event's time is when it came in. */
export type SocketFrameData = Message & {
  connection: number
  /** in: the client sent it; out: the service sent it. */
  direction: 'in' | 'out'
  /** What it is when it is no message; absent for messages. */
  control?: 'ping' | 'pong'
}

interface OpenedConnection {
  connection: number
  event: 'open'
  /** When the client asked for it, ms since 1970. */
  startedMs: number
  /** Path and query as of an exchange. */
  url: string
  requestHeaders: Record<string, string>
  /** Subprotocols that the client offered, in its order. */
  protocols: readonly string[]
  /** The one that the service chose; null for none. */
  protocol: string | null
  /** True when it was opened in an earlier file of the same recording. */
  continued?: boolean
}

interface ClosedConnection {
  connection: number
  event: 'close'
  /** Close code; 1006 when the connection ended without one. */
  code: number
  reason: string
  /** Who closed first. */
  by: 'client' | 'service' | 'recorder'
}

interface FailedConnection {
  connection: number
  event: 'error'
  /** What went wrong on it, in words; `close` follows where it ended the connection. */
  message: string
}

/** The life of a socket. */
export type ConnectionData = OpenedConnection | ClosedConnection | FailedConnection

/** From `fromMs` to the event's time something is missing. */
export interface GapData {
  fromMs: number
  /** Why, in words. */
  why: string
  /** How many events are missing, where that is known. */
  lost?: number
  /** The connection of which something is missing; absent for all of them. */
  connection?: number
}
