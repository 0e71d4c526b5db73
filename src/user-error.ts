/**
 * Something the user can mend: said in one line, without a stack trace.
 *
 * The message says what was wrong and what would be right. Everything else that is thrown is a
 * fault of ours.
 */
export class UserError extends Error {
  override name = 'UserError'
}
