/** Sends requests with a timeout and an abort signal, and without signatures in errors. */

import { MINUTE_MS } from '../../../clock/instant.ts'
import type { SystemClock } from '../../../clock/system-clock.ts'
import { PREFIXES } from '../../../contract/prefixes.ts'
import type { Credentials } from '../../../contract/signature.ts'
import { ClientError, ConnectionError, redacted, redactedCause } from '../errors.ts'
import type { OutgoingRequest } from './request.ts'
import type { ReceivedResponse } from './response.ts'

export type Send = (url: string, init: RequestInit) => Promise<Response>

/** Gets the lines of the reason for a refusal from a stand-in. */
export type ExplainRefusal = (url: string, init: RequestInit) => Promise<readonly string[]>

export interface RequestSenderSettings {
  /** Without a slash at its end. */
  base: string
  secretKey: string
  send: Send
  explainRefusal?: ExplainRefusal | undefined
  systemClock: SystemClock
  /** Aborted when the client is closed. */
  closing: AbortSignal
}

/** Options of sending one request. */
export interface SendOptions {
  timeoutMs: number
  signal?: AbortSignal | undefined
}

/** It took too long: it may have been carried out, and a retry adds to the load. */
export class TimeoutError extends ConnectionError {}

export class RequestSender {
  constructor(private readonly settings: RequestSenderSettings) {}

  /**
   * Signs and sends a request and reads its text, all of it within the timeout. Rejects with a
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
      const request = { ...init, signal: abort.signal }
      const received = await this.received(await send(url, request))
      return received.status < 400 ? received : await this.withReason(received, url, request)
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

  private async withReason(received: ReceivedResponse, url: string, init: RequestInit) {
    const explained = await this.settings.explainRefusal?.(url, init)
    return explained ? { ...received, explained: explained.map(received.redact) } : received
  }

  private async received(response: Response): Promise<ReceivedResponse> {
    const { status, headers } = response
    const text = await response.text()
    const date = headers.get('date')
    const nowMs = this.settings.systemClock.nowMs()
    return {
      status,
      text,
      redact: (reported) => redacted(reported, this.settings.secretKey),
      type: headers.get('content-type'),
      date,
      retryAfterS: retryAfterS(headers.get('retry-after'), { date, nowMs }),
    }
  }

  /** With the runtime's error code and without its address, which contains the signature. */
  private unreachable(what: string, failure: unknown): ConnectionError {
    const { code } = Object(failure) as { code?: unknown }
    const why = code === undefined ? '' : ` (${code})`
    const { base, secretKey } = this.settings
    const cause = redactedCause(failure, secretKey)
    return new ConnectionError(what, `${base} cannot be reached${why}`, { cause })
  }
}

/** Named after the operation, unless a reason was given. */
const closedError = (what: string, { reason }: AbortSignal): ClientError =>
  reason.what === 'client' ? new ConnectionError(what, 'the client is closed') : reason

/**
 * Seconds until a retry, from a `Retry-After` header; null for none. It is a number of seconds or a
 * date (RFC 9110, 10.2.3), counted from the answer's own `Date` where it has one.
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

// Limits the rate of requests to what the service allows, learnt from its refusals.

/** Fewer requests than this do not show the rate. */
const RATE_LEAST = 10

/** The wait after a refusal without one, doubled with each in a row. */
const WAIT_START_MS = 1000
const WAIT_MAX_MS = MINUTE_MS

export class RateLimiter {
  /** Requests a minute; null while nothing was refused. */
  private perMinute: number | null = null
  private readonly sentMs: number[] = []
  private blockedUntilMs = 0
  private refusedInRow = 0
  private raisedMs = 0

  constructor(private readonly systemClock: SystemClock) {}

  /** Resolves when a request may be sent, and counts it. */
  async admitted(signal: AbortSignal): Promise<void> {
    for (let waitMs = this.waitMs(); waitMs > 0; waitMs = this.waitMs())
      await pause(this.systemClock, waitMs, signal)
    this.sentMs.push(this.systemClock.monotonicMs())
  }

  /** A request was refused for the rate. */
  refused(retryAfterS: number | null): void {
    const nowMs = this.systemClock.monotonicMs()
    const ownMs = Math.min(WAIT_MAX_MS, WAIT_START_MS * 2 ** this.refusedInRow++)
    const waitMs = retryAfterS === null ? ownMs : retryAfterS * 1000
    this.blockedUntilMs = Math.max(this.blockedUntilMs, nowMs + waitMs)
    this.forgetBefore(nowMs - MINUTE_MS)
    // The refused one is among them.
    const allowed = Math.max(RATE_LEAST, this.sentMs.length - 1)
    this.perMinute = Math.min(this.perMinute ?? allowed, allowed)
    this.raisedMs = nowMs
  }

  /** A request was answered. */
  answered(): void {
    this.refusedInRow = 0
  }

  private waitMs(): number {
    const nowMs = this.systemClock.monotonicMs()
    if (nowMs < this.blockedUntilMs) return this.blockedUntilMs - nowMs
    this.forgetBefore(nowMs - MINUTE_MS)
    if (this.perMinute === null) return 0
    if (nowMs - this.raisedMs > MINUTE_MS) {
      this.perMinute = Math.ceil(this.perMinute * 1.1)
      this.raisedMs = nowMs
    }
    const [first = nowMs] = this.sentMs.slice(-this.perMinute)
    return this.sentMs.length < this.perMinute ? 0 : Math.max(1, first + MINUTE_MS - nowMs)
  }

  private forgetBefore(timeMs: number): void {
    while ((this.sentMs[0] ?? timeMs) < timeMs) this.sentMs.shift()
  }
}

// Waits that can be aborted.

/** Resolves after a time; rejects with the signal's reason when that comes first. */
export function pause(systemClock: SystemClock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      cancel()
      reject(signal.reason)
    }
    const cancel = systemClock.startTimer(ms, () => {
      signal.removeEventListener('abort', end)
      resolve()
    })
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

// Signs each request and each connection anew.

/** Signs by the machine's time plus an offset, ms. */
export type Signer = (offsetMs: number) => Promise<Credentials>

/** The signed parameters: all but the signature itself. */
type SignedParameters = Omit<Credentials, 'Signature'>

/** Signs parameters with a secret. */
export type Sign = (parameters: SignedParameters, secret: string) => string | Promise<string>

interface SignerSettings {
  accessKey: string
  secretKey: string
  systemClock: SystemClock
  /** Unique text of each signature; by default the time and a counter. */
  nonce?: (() => string) | undefined
  /** Signs instead of the runtime's own cryptography. */
  sign?: Sign | undefined
}

export function signer(settings: SignerSettings): Signer {
  const { accessKey, secretKey, systemClock } = settings
  const { nonce = countingNonce(systemClock), sign = webCryptoSign() } = settings
  return async (offsetMs) => {
    const signed = {
      AccessKeyId: accessKey,
      SignatureNonce: nonce(),
      Timestamp: String(Math.floor((systemClock.nowMs() + offsetMs) / 1000)),
    }
    return { ...signed, Signature: await sign(signed, secretKey) }
  }
}

/** HMAC-SHA1 by the runtime; the key is imported once. */
function webCryptoSign(): Sign {
  const bytes = (text: string) => new TextEncoder().encode(text)
  let key: Promise<CryptoKey> | null = null
  return async (parameters, secret) => {
    const { subtle } = globalThis.crypto ?? {}
    if (subtle === undefined) throw new ClientError('client', NO_CRYPTOGRAPHY)
    key ??= subtle.importKey('raw', bytes(secret), ALGORITHM, false, ['sign'])
    const digest = await subtle.sign('HMAC', await key, bytes(signedText(parameters)))
    const hex = [...new Uint8Array(digest)].map((one) => one.toString(16).padStart(2, '0'))
    return btoa(hex.join(''))
  }
}

const ALGORITHM = { name: 'HMAC', hash: 'SHA-1' }

const NO_CRYPTOGRAPHY =
  'no WebCrypto: is this no secure context? set `sign` to that of tapewright/contract'

/** In this order, whatever the order of the parameters (the service's documentation). */
const signedText = ({ AccessKeyId, SignatureNonce, Timestamp }: SignedParameters) =>
  `AccessKeyId=${AccessKeyId}&SignatureNonce=${SignatureNonce}&Timestamp=${Timestamp}`

/** Two clients of one key begin at different fractions of a millisecond. */
function countingNonce(systemClock: SystemClock): () => string {
  const start = systemClock.nowMs().toString(36).replace('.', '')
  let count = 0
  return () => `${start}-${count++}`
}
