/** What a call of the control plane throws. */

/** What went wrong, for programs. */
export type ControlErrorCode =
  /** Something in the call is wrong; the message says what would be right. */
  | 'wrong-call'
  /** The token is missing or another one. */
  | 'unauthorized'
  /** Asked from a page or under a host name that may not. */
  | 'forbidden'
  /** What was named does not exist. */
  | 'not-found'
  /** The server does not have this call: it is of another version. */
  | 'unknown-call'
  /** What was waited for did not happen in time. */
  | 'timeout'
  /** The sandbox was dropped, reset or restored before the call was done. */
  | 'ended'
  /** The body is larger than is taken. */
  | 'too-large'
  /** Too many calls are unanswered. */
  | 'busy'
  /** The server is starting or ending. */
  | 'unavailable'
  /** The state file cannot be written, and nothing has changed. */
  | 'not-stored'
  /** The sandbox is closed, or its server has ended by itself. */
  | 'closed'
  /** Nobody answers at this address. */
  | 'unreachable'
  /** Who answers is no control plane. */
  | 'unknown-answer'

/** A call that was refused, or not answered. */
export class ControlError extends Error {
  override readonly name = 'ControlError'

  /** @param status of HTTP; null when nobody has answered */
  constructor(
    readonly code: ControlErrorCode,
    readonly status: number | null,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** What a status of the control plane means. */
export const codeOf = (status: number): ControlErrorCode => BY_STATUS[status] ?? 'wrong-call'

const BY_STATUS: Readonly<Record<number, ControlErrorCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  405: 'unknown-call',
  408: 'timeout',
  409: 'ended',
  413: 'too-large',
  429: 'busy',
  503: 'unavailable',
  507: 'not-stored',
}
