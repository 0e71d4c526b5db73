/** How a case ends before its end. */

import { UserError } from '../platform/user-error.ts'

/** Something that must hold does not. */
export class CheckFailure extends Error {
  constructor(
    message: string,
    readonly evidence?: unknown,
  ) {
    super(message)
  }
}

/** Nothing came of a case in all its time. */
export class CaseTimeout extends CheckFailure {}

/** It cannot be found out here, and why. */
export class SkipCase extends Error {}

/** Other cases may have kept it from being found out: alone it is looked at again. */
export class CrowdedOut extends SkipCase {}

/** What is signed is answered when its signature is no longer valid. */
export class TooLate extends CrowdedOut {
  constructor() {
    super('the target answers so late that signatures are no longer valid')
  }
}

/** Others have opened as many sockets as the target allows, and keep them. */
export class TooManySockets extends CrowdedOut {
  constructor() {
    super('the target opens no more sockets for now')
  }
}

/** More is said at once than is read: by an answer, or on a socket. */
export class Flood extends UserError {}
