/**
 * Recorded traffic between a client and a service: data of the kinds without a coin. All secrets
 * are replaced; docs/tape-format.md describes by what.
 */

/** Bytes of a body or a message: text where they are UTF-8, else base64. */
type RequestBody =
  | { requestBody: string; requestBase64?: undefined }
  | { requestBody?: undefined; requestBase64: string }

type ResponseBody =
  | { responseBody: string; responseBase64?: undefined }
  | { responseBody?: undefined; responseBase64: string }

type Message = { text: string; base64?: undefined } | { text?: undefined; base64: string }

/** One HTTP request and its response. The event's time is the end of the response. */
export type HttpExchangeData = RequestBody &
  ResponseBody & {
    /** First byte of the request, ms since 1970. */
    startedMs: number
    method: string
    /** Path and query byte for byte, except secrets. */
    url: string
    /** Names in lower case; values of a repeated one are joined by `, `. */
    requestHeaders: Record<string, string>
    status: number
    headers: Record<string, string>
    /** Why this is not the service's whole response, as text; absent when it is. */
    error?: string
  }

/** One socket message. The event's time is its arrival. */
export type SocketFrameData = Message & {
  connection: number
  /** in: from the client; out: from the service. */
  direction: 'in' | 'out'
  /** Type of a control frame; absent for messages. */
  control?: 'ping' | 'pong'
}

interface OpenedConnection {
  connection: number
  event: 'open'
  /** Time of the client's request, ms since 1970. */
  startedMs: number
  /** Path and query as in an exchange. */
  url: string
  requestHeaders: Record<string, string>
  /** Subprotocols offered by the client, in its order. */
  protocols: readonly string[]
  /** The service's choice; null for none. */
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
  /** The side that closed first. */
  by: 'client' | 'service' | 'recorder'
}

interface FailedConnection {
  connection: number
  event: 'error'
  /** Error on it, as text; `close` follows where it ended the connection. */
  message: string
}

/** Events in the life of a socket. */
export type ConnectionData = OpenedConnection | ClosedConnection | FailedConnection

/** Something is missing from `fromMs` to the event's time. */
export interface GapData {
  fromMs: number
  /** Reason, as text. */
  why: string
  /** Number of missing events, if known. */
  lost?: number
  /** The affected connection; absent for all. */
  connection?: number
}

/** A parsed object of unknown contents. */
export type UnknownRecord = Record<string, unknown>

/** Whether a value is a safe whole number of 0 or more. */
export function isWholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** A value as in a line, shortened, for an error message. */
export function excerptOf(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
