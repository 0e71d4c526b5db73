/** Everything that the contract requires, sentence by sentence, each with an id. */
import { AUTHENTICATION } from './requirements/authentication.ts'
import { CONVENTIONS } from './requirements/conventions.ts'
import { ACTION_MAP, DECLARED } from './requirements/declared.ts'
import { DISTRIBUTOR } from './requirements/distributor.ts'
import { ERRORS } from './requirements/errors.ts'
import { EVENTS } from './requirements/events.ts'
import { FEATURES } from './requirements/features.ts'
import { LIMITS } from './requirements/limits.ts'
import { MARKET } from './requirements/market.ts'
import { PERPDEX } from './requirements/perpdex.ts'
import { PERPDEX_RECORDS } from './requirements/records.ts'
import type { Requirement, Respect } from './requirements/requirement.ts'
import { RESOURCES } from './requirements/resources.ts'
import { SIGNAL_RECORDS } from './requirements/signals.ts'
import { SOCKETS } from './requirements/sockets.ts'
import { STATES } from './requirements/states.ts'
import { VERSIONING } from './requirements/versioning.ts'

/** In the order of the contract. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...CONVENTIONS,
  ...RESOURCES,
  ...SIGNAL_RECORDS,
  ...PERPDEX_RECORDS,
  ...STATES,
  ...DISTRIBUTOR,
  ...ACTION_MAP,
  ...DECLARED,
  ...MARKET,
  ...FEATURES,
  ...PERPDEX,
  ...SOCKETS,
  ...AUTHENTICATION,
  ...EVENTS,
  ...ERRORS,
  ...LIMITS,
  ...VERSIONING,
]

/**
 * The requirements that a derived case checks which looks at an operation or a channel in one
 * respect: the ids for its `checks`.
 */
export function requirementsOf(id: string, respect: Respect): string[] {
  return REQUIREMENTS.filter(
    ({ derived }) => derived?.respect === respect && derived.of.includes(id),
  ).map((requirement) => requirement.id)
}
