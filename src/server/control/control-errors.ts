/** What a call of the control plane can be told besides that its request was wrong. */
import { UserError } from '../../platform/user-error.ts'

/** A refusal with an HTTP status of its own. */
export abstract class ControlError extends UserError {
  abstract readonly status: number
}

/** What was named does not exist. */
export class NotFoundError extends ControlError {
  readonly status = 404
}

/** What was waited for did not happen in time. */
export class TimeoutError extends ControlError {
  readonly status = 408
}

/** The sandbox was dropped, reset or replaced before the call was done. */
export class EndedError extends ControlError {
  readonly status = 409
}

/** Too many calls are unanswered already. */
export class BusyError extends ControlError {
  readonly status = 429
}

/** The server ends before what was waited for has happened. */
export class EndingError extends ControlError {
  readonly status = 503

  constructor() {
    super('the server is ending')
  }
}
