/** How a call or a subscription can go wrong. Secrets and signatures are in none of them. */
import { type Refusal, type RefusalKind, refusalKind, statusKind } from './requests/refusal-kind.ts'

/** All that the client throws, but what a signal of the caller's gives as its reason. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError'

  /** @param what the operation or channel, such as `perpdex.fillsOfAddress` */
  constructor(
    readonly what: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(`${what}: ${message}`, options)
  }
}

/** The service has answered, and refused. */
export class ServiceError extends ClientError {
  override readonly name = 'ServiceError'
  /** HTTP status. */
  readonly status: number
  /** As the envelope says it: `"403"`, `"-1"`; empty where it has none. */
  readonly code: string
  /** As the service words it. */
  readonly reason: string
  readonly kind: RefusalKind
  /** The permission that is missing: `HL_FILLS`; null for other refusals. */
  readonly permission: string | null
  /** Seconds after which it may be tried again, where the service says so. */
  readonly retryAfterS: number | null

  constructor(what: string, refusal: Refusal) {
    super(what, `${refusal.status} ${refusal.reason}`.trimEnd())
    this.status = refusal.status
    this.code = refusal.code
    this.reason = refusal.reason
    this.kind = refusalKind(refusal)
    this.permission = /^Permission denied: (.+)$/.exec(refusal.reason)?.[1] ?? null
    this.retryAfterS = refusal.retryAfterS
  }
}

/** What was wrong with an answer that is none of the contract's. */
export interface AnswerFlaw {
  status: number
  /** The beginning of it. */
  excerpt: string
  retryAfterS?: number | null
  /** Where in the data something is not as it should be. */
  path?: string | null
}

/** An answer that the contract does not know: HTML of a proxy, broken JSON, another shape. */
export class AnswerError extends ClientError {
  override readonly name = 'AnswerError'
  readonly status: number
  /** The first 200 characters of it. */
  readonly excerpt: string
  /** What its status means; null for one of success. */
  readonly kind: RefusalKind | null
  /** Seconds after which it may be tried again, where the answer says so. */
  readonly retryAfterS: number | null
  /** Where in the data something is not as it should be: `[3].px`; null for the whole. */
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

// Texts without what would let somebody else sign: for all that is told.

/** A signature is Base64 of 40 hexadecimal digits: 54 letters and two signs that end it. */
const SIGNATURE_VALUE = /[A-Za-z0-9+/]{54}(==|%3D%3D)/gi
const SIGNATURE_FIELD = /(Signature)(=|%3D|"\s*:\s*"|&quot;:&quot;)[^&\s"'<>\\]+/g

/** What a registration answers, once. */
const SECRET_FIELD = /(secret_?key"\s*:\s*")[^"]*/gi

/** A text without signatures, and without a secret. */
export function redacted(text: string, secret: string): string {
  const unsigned = text
    .replaceAll(SIGNATURE_FIELD, '$1$2***')
    .replaceAll(SIGNATURE_VALUE, '***')
    .replaceAll(SECRET_FIELD, '$1***')
  return secret === '' ? unsigned : unsigned.replaceAll(secret, '***')
}

/** The cause of a failure as an error of our own: a runtime's carries the whole address. */
export function redactedCause(cause: unknown, secret: string): Error {
  const { name, message, code } = Object(cause) as { [N in CauseField]?: unknown }
  const text = redacted(String(message ?? cause), secret)
  return new Error(code === undefined ? `${String(name ?? 'Error')}: ${text}` : `${code}: ${text}`)
}

type CauseField = 'name' | 'message' | 'code'
