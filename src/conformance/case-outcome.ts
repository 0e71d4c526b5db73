/** Errors that end a case early. */

import { UserError } from '../platform/user-error.ts'

/** A condition does not hold. */
export class CheckFailure extends Error {
  constructor(
    message: string,
    readonly evidence?: unknown,
  ) {
    super(message)
  }
}

/** A case produced nothing within its time. */
export class CaseTimeout extends CheckFailure {}

/** The case cannot be judged here, with the reason. */
export class SkipCase extends Error {}

/** The case cannot be judged, as a lookup for it was answered against the contract. */
export class BlockedCase extends SkipCase {}

/** Other cases may have interfered: the case is repeated alone. */
export class CrowdedOut extends SkipCase {}

/** A signed request was answered after its signature expired. */
export class TooLate extends CrowdedOut {
  constructor() {
    super('the target answers so late that signatures are no longer valid')
  }
}

/** Other cases hold as many sockets as the target allows. */
export class TooManySockets extends CrowdedOut {
  constructor() {
    super('the target opens no more sockets for now')
  }
}

/** A response or socket sent more than the limit. */
export class Flood extends UserError {}
