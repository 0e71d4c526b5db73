/**
 * An error that the user can correct: printed in one line, without a stack trace.
 *
 * The message says what was wrong and what would be right. Everything else that is thrown is a
 * bug of ours.
 */
export class UserError extends Error {
  override name = 'UserError'
}
