/** Sends requests: within a time, until somebody ends them, and telling no signature. */

import type { SystemClock } from '../../../clock/system-clock.ts'
import { PREFIXES } from '../../../contract/prefixes.ts'
import { ClientError, ConnectionError, redacted, redactedCause } from '../errors.ts'
import type { OutgoingRequest } from './request.ts'
import type { ReceivedResponse } from './response.ts'

export type Send = (url: string, init: RequestInit) => Promise<Response>

export interface RequestSenderSettings {
  /** Without a slash at its end. */
  base: string
  secretKey: string
  send: Send
  systemClock: SystemClock
  /** Aborted when the client is closed. */
  closing: AbortSignal
}

/** How one request is sent. */
export interface SendOptions {
  timeoutMs: number
  signal?: AbortSignal | undefined
}

/** It took too long: nobody knows whether it was carried out, and asking again adds to the load. */
export class TimeoutError extends ConnectionError {}

export class RequestSender {
  constructor(private readonly settings: RequestSenderSettings) {}

  /**
   * Signs and sends a request and reads its text, all of it within the time. Rejects with a
   * ConnectionError, or with the reason of the caller's signal.
   */
  async send(
    what: string,
    signed: () => Promise<OutgoingRequest>,
    { timeoutMs, signal }: SendOptions,
  ): Promise<ReceivedResponse> {
    const { base, send, systemClock, closing } = this.settings
    signal?.throwIfAborted()
    if (closing.aborted) throw closedError(what, closing)
    const abort = new AbortController()
    const end = () => abort.abort()
    const cancel = systemClock.startTimer(timeoutMs, end)
    const ends = [closing, ...(signal ? [signal] : [])]
    for (const one of ends) one.addEventListener('abort', end)
    try {
      const { target, ...init } = await signed()
      abort.signal.throwIfAborted()
      const url = `${base}${PREFIXES[0]}${target}`
      return await this.received(await send(url, { ...init, signal: abort.signal }))
    } catch (cause) {
      signal?.throwIfAborted()
      if (closing.aborted) throw closedError(what, closing)
      if (abort.signal.aborted) throw new TimeoutError(what, `no answer within ${timeoutMs} ms`)
      throw cause instanceof ClientError ? cause : this.unreachable(what, cause)
    } finally {
      cancel()
      for (const one of ends) one.removeEventListener('abort', end)
    }
  }

  private async received(response: Response): Promise<ReceivedResponse> {
    const { status, headers } = response
    const text = await response.text()
    const date = headers.get('date')
    const nowMs = this.settings.systemClock.nowMs()
    return {
      status,
      text,
      redact: (told) => redacted(told, this.settings.secretKey),
      type: headers.get('content-type'),
      date,
      retryAfterS: retryAfterS(headers.get('retry-after'), { date, nowMs }),
    }
  }

  /** With the runtime's error code and without its address, which has the signature in it. */
  private unreachable(what: string, failure: unknown): ConnectionError {
    const { code } = Object(failure) as { code?: unknown }
    const why = code === undefined ? '' : ` (${code})`
    const { base, secretKey } = this.settings
    const cause = redactedCause(failure, secretKey)
    return new ConnectionError(what, `${base} cannot be reached${why}`, { cause })
  }
}

/** Named after what was asked, unless a reason was given. */
const closedError = (what: string, { reason }: AbortSignal): ClientError =>
  reason.what === 'client' ? new ConnectionError(what, 'the client is closed') : reason

/**
 * Seconds until it may be tried again, by a `Retry-After` header; null for none. It is a number of
 * seconds or a date (RFC 9110, 10.2.3), counted from the answer's own `Date` where it has one.
 */
function retryAfterS(
  header: string | null,
  { date, nowMs }: { date: string | null; nowMs: number },
): number | null {
  if (header === null || header.trim() === '') return null
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const untilMs = Date.parse(header)
  if (Number.isNaN(untilMs)) return null
  const sentMs = date === null ? Number.NaN : Date.parse(date)
  return Math.max(0, Math.ceil((untilMs - (Number.isNaN(sentMs) ? nowMs : sentMs)) / 1000))
}
