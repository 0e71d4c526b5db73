/** Errors of calls and subscriptions. They contain no secrets and no signatures. */
import { type Refusal, type RefusalKind, refusalKind, statusKind } from './requests/refusal-kind.ts'

/** The base of all errors of the client, except the reason of a caller's signal. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError'

  /** @param what operation or channel, such as `perpdex.fillsOfAddress` */
  constructor(
    readonly what: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(`${what}: ${message}`, options)
  }
}

/** The service has refused a call. */
export class ServiceError extends ClientError {
  override readonly name = 'ServiceError'
  /** HTTP status. */
  readonly status: number
  /** The code of the envelope: `"403"`, `"-1"`; empty where it has none. */
  readonly code: string
  /** The reason in the service's words. */
  readonly reason: string
  readonly kind: RefusalKind
  /** The missing permission: `HL_FILLS`; null for other refusals. */
  readonly permission: string | null
  /** Seconds until a retry, where the service gives them. */
  readonly retryAfterS: number | null

  constructor(what: string, refusal: Refusal) {
    const { status, reason, explained = [] } = refusal
    super(what, [`${status} ${reason}`.trimEnd(), ...explained].join('\n  '))
    this.status = refusal.status
    this.code = refusal.code
    this.reason = refusal.reason
    this.kind = refusalKind(refusal)
    this.permission = /^Permission denied: (.+)$/.exec(refusal.reason)?.[1] ?? null
    this.retryAfterS = refusal.retryAfterS
  }
}

/** The flaw of an answer outside the contract. */
export interface AnswerFlaw {
  status: number
  /** The beginning of the answer. */
  excerpt: string
  retryAfterS?: number | null
  /** The place of the flaw in the data. */
  path?: string | null
}

/** An answer outside the contract: HTML of a proxy, broken JSON, another shape. */
export class AnswerError extends ClientError {
  override readonly name = 'AnswerError'
  readonly status: number
  /** The first 200 characters of it. */
  readonly excerpt: string
  /** The meaning of its status; null for a successful one. */
  readonly kind: RefusalKind | null
  /** Seconds until a retry, where the answer gives them. */
  readonly retryAfterS: number | null
  /** The place of the flaw in the data: `[3].px`; null for the whole. */
  readonly path: string | null

  constructor(what: string, message: string, flaw: AnswerFlaw) {
    super(what, message)
    this.status = flaw.status
    this.excerpt = flaw.excerpt
    this.kind = flaw.status >= 400 ? statusKind(flaw.status) : null
    this.retryAfterS = flaw.retryAfterS ?? null
    this.path = flaw.path ?? null
  }
}

/** No answer: the service could not be reached, closed the connection, or was too slow. */
export class ConnectionError extends ClientError {
  override readonly name = 'ConnectionError'
}

// Removes from texts whatever would let a reader sign.

/** A signature is Base64 of 40 hexadecimal digits: 54 letters and two padding characters. */
const SIGNATURE_VALUE = /[A-Za-z0-9+/]{54}(==|%3D%3D)/gi
const SIGNATURE_FIELD = /(Signature)(=|%3D|"\s*:\s*"|&quot;:&quot;)[^&\s"'<>\\]+/g

/** The secret in the answer of a registration. */
const SECRET_FIELD = /(secret_?key"\s*:\s*")[^"]*/gi

/** A text without signatures, and without a secret. */
export function redacted(text: string, secret: string): string {
  const unsigned = text
    .replaceAll(SIGNATURE_FIELD, '$1$2***')
    .replaceAll(SIGNATURE_VALUE, '***')
    .replaceAll(SECRET_FIELD, '$1***')
  return secret === '' ? unsigned : unsigned.replaceAll(secret, '***')
}

/** The cause of a failure as an error of our own: the runtime's contains the whole address. */
export function redactedCause(cause: unknown, secret: string): Error {
  const { name, message, code } = Object(cause) as { [N in CauseField]?: unknown }
  const text = redacted(String(message ?? cause), secret)
  return new Error(code === undefined ? `${String(name ?? 'Error')}: ${text}` : `${code}: ${text}`)
}

type CauseField = 'name' | 'message' | 'code'
