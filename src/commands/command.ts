/** One word of the command line: `tapewright <name> …`. */
export interface Command {
  name: string
  /** One line for the overview. */
  summary: string
  /** The full help text, with every flag. */
  usage: string
  /**
   * Does it and answers with the exit code; a `UserError` becomes one line on standard error and
   * code 1.
   */
  run(args: string[]): Promise<number>
}
