/** How a case ends before its end. */

/** Something that must hold does not. */
export class CheckFailure extends Error {
  constructor(
    message: string,
    readonly evidence?: unknown,
  ) {
    super(message)
  }
}

/** It cannot be found out here, and why. */
export class SkipCase extends Error {}

/** Others have opened as many sockets as the target allows, and keep them. */
export class TooManySockets extends SkipCase {
  constructor() {
    super('the target opens no more sockets for now')
  }
}
