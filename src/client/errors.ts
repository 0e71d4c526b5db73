/** How a call or a subscription can go wrong. Secrets and signatures are in none of them. */

/** What a refusal is about, by its status and its words (spec, Errors). */
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
  /** The service's own words. */
  readonly words: string
  readonly kind: RefusalKind
  /** The permission that is missing: `HL_FILLS`; null for other refusals. */
  readonly permission: string | null
  /** Seconds after which it may be tried again, where the service says so. */
  readonly retryAfterS: number | null

  constructor(what: string, said: RefusalDetails) {
    super(what, `${said.status} ${said.words}`)
    this.status = said.status
    this.code = said.code
    this.words = said.words
    this.kind = kindOf(said)
    this.permission = /^Permission denied: (.+)$/.exec(said.words)?.[1] ?? null
    this.retryAfterS = said.retryAfterS
  }
}

/** What an answer that refuses says. */
export interface RefusalDetails {
  status: number
  code: string
  words: string
  retryAfterS: number | null
}

/** An answer that is not in the contract's words: HTML of a proxy, broken JSON, no envelope. */
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
function kindOf({ status, code, words }: RefusalDetails): RefusalKind {
  if (/^Permission denied/.test(words)) return 'permission'
  if (status === 429 || code === '429' || words === '请求过于频繁') return 'limit'
  const number = status >= 400 ? status : Number(code)
  return BY_NUMBER[number] ?? 'other'
}

const BY_NUMBER: Readonly<Record<number, RefusalKind>> = {
  400: 'parameter',
  401: 'signature',
  403: 'permission',
  404: 'absent',
}
