/**
 * An error that the user can correct: printed in one line, without a stack trace.
 *
 * The message has the error and the remedy. Any other error is an internal one.
 */
export class UserError extends Error {
  override name = 'UserError'
  /** Exit code of a command that ends with it. */
  readonly exitCode: number = 1
}
