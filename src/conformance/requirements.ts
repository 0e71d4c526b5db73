/** Everything that the contract requires, sentence by sentence, each with an id. */

import { AUTHENTICATION } from './requirements/authentication.ts'
import { COIN } from './requirements/coin.ts'
import { CONTENT } from './requirements/content.ts'
import {
  OPERATION_REQUIREMENTS,
  PERMISSION_REQUIREMENTS,
} from './requirements/derived-requirements.ts'
import { DISTRIBUTOR } from './requirements/distributor.ts'
import { ENVELOPES } from './requirements/envelopes.ts'
import { ERRORS } from './requirements/errors.ts'
import { FUTURES } from './requirements/futures.ts'
import { INDEX } from './requirements/index.ts'
import { INDICATOR } from './requirements/indicator.ts'
import { LIMITS } from './requirements/limits.ts'
import { MIX } from './requirements/mix.ts'
import { PERPDEX } from './requirements/perpdex.ts'
import type { Aspect, Requirement } from './requirements/requirement.ts'
import { SIGNAL } from './requirements/signal.ts'
import { SOCKETS } from './requirements/sockets.ts'
import { STOCK } from './requirements/stock.ts'

/** Those that hold everywhere first, then group by group. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...ENVELOPES,
  ...AUTHENTICATION,
  ...ERRORS,
  ...LIMITS,
  ...DISTRIBUTOR,
  ...PERMISSION_REQUIREMENTS,
  ...OPERATION_REQUIREMENTS,
  ...STOCK,
  ...FUTURES,
  ...INDEX,
  ...COIN,
  ...MIX,
  ...SIGNAL,
  ...CONTENT,
  ...INDICATOR,
  ...PERPDEX,
  ...SOCKETS,
]

/**
 * The requirements that a derived case checks which looks at an operation or a channel in one
 * respect: the ids for its `checks`.
 */
export function requirementsOf(id: string, respect: Aspect): string[] {
  return REQUIREMENTS.filter(
    ({ derived }) => derived?.respect === respect && derived.of.includes(id),
  ).map((requirement) => requirement.id)
}
