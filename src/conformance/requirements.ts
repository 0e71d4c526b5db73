/** Everything that the contract requires, sentence by sentence, each with an id. */
import { AUTHENTICATION } from './requirements/authentication.ts'
import { CONVENTIONS } from './requirements/conventions.ts'
import {
  OPERATION_REQUIREMENTS,
  PERMISSION_REQUIREMENTS,
} from './requirements/derived-requirements.ts'
import { DISTRIBUTOR } from './requirements/distributor.ts'
import { ERRORS } from './requirements/errors.ts'
import { LIMITS } from './requirements/limits.ts'
import { MARKET_DATA } from './requirements/market-data.ts'
import { MARKET_DATA_RECORDS } from './requirements/market-data-records.ts'
import { MIX_SIGNAL_CONTENT } from './requirements/mix-signal-content.ts'
import { PERPDEX } from './requirements/perpdex.ts'
import { PERPDEX_RECORDS } from './requirements/perpdex-records.ts'
import type { Aspect, Requirement } from './requirements/requirement.ts'
import { SIGNAL_RECORDS } from './requirements/signal-records.ts'
import { SOCKET_PUSHES } from './requirements/socket-pushes.ts'
import { SOCKETS } from './requirements/sockets.ts'
import { STATE_TRANSITIONS } from './requirements/state-transitions.ts'
import { VERSIONING } from './requirements/versioning.ts'

/** In the order of the contract. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...CONVENTIONS,
  ...MARKET_DATA_RECORDS,
  ...SIGNAL_RECORDS,
  ...PERPDEX_RECORDS,
  ...STATE_TRANSITIONS,
  ...DISTRIBUTOR,
  ...PERMISSION_REQUIREMENTS,
  ...OPERATION_REQUIREMENTS,
  ...MARKET_DATA,
  ...MIX_SIGNAL_CONTENT,
  ...PERPDEX,
  ...SOCKETS,
  ...AUTHENTICATION,
  ...SOCKET_PUSHES,
  ...ERRORS,
  ...LIMITS,
  ...VERSIONING,
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
