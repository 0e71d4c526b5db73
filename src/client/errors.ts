/** How a call or a subscription can go wrong. Secrets and signatures are in none of them. */

/** What a refusal is about, by its status and its reason (the service's documentation, Errors). */
export type RefusalKind = 'signature' | 'permission' | 'limit' | 'parameter' | 'absent' | 'other'

/** All that the client throws. */
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

  constructor(what: string, details: RefusalDetails) {
    super(what, `${details.status} ${details.reason}`)
    this.status = details.status
    this.code = details.code
    this.reason = details.reason
    this.kind = kindOf(details)
    this.permission = /^Permission denied: (.+)$/.exec(details.reason)?.[1] ?? null
    this.retryAfterS = details.retryAfterS
  }
}

/** What an answer that refuses says. */
export interface RefusalDetails {
  status: number
  code: string
  reason: string
  retryAfterS: number | null
}

/** An answer that the contract does not know: HTML of a proxy, broken JSON, no envelope. */
export class AnswerError extends ClientError {
  override readonly name = 'AnswerError'

  constructor(
    what: string,
    readonly status: number,
    message: string,
    /** The first 200 characters of it. */
    readonly excerpt: string,
  ) {
    super(what, message)
  }
}

/** No answer: the service could not be reached, closed the connection, or was too slow. */
export class ConnectionError extends ClientError {
  override readonly name = 'ConnectionError'
}

/** By the code of the envelope where it says more than the status does. */
function kindOf({ status, code, reason }: RefusalDetails): RefusalKind {
  if (/^Permission denied/.test(reason)) return 'permission'
  if (status === 429 || code === '429' || reason === '请求过于频繁') return 'limit'
  const number = status >= 400 ? status : Number(code)
  return BY_NUMBER[number] ?? 'other'
}

const BY_NUMBER: Readonly<Record<number, RefusalKind>> = {
  400: 'parameter',
  401: 'signature',
  403: 'permission',
  404: 'absent',
}
