/** How much of what a client or a test adds a sandbox keeps; more is refused by name. */

import { UserError } from '../platform/user-error.ts'
import { RULES_MAX, type Scenario } from './scenario/scenario.ts'

export const KEYS_MAX = 5_000
/** Of each distributor. */
export const LEVELS_MAX = 500
export const INVITES_MAX = 1_000
export const BOOKMARKS_MAX = 1_000
/** Each is a line of its own to be grown, or part of one. */
export const MARKET_EVENTS_MAX = 100
/** Nonces are not refused: the newest are remembered. */
export const NONCES_MAX = 10_000

/** Why there cannot be one more; null when there can. */
export function boundFlaw(what: string, count: number, max: number): string | null {
  return count < max ? null : `there are ${count} ${what}, at most ${max}`
}

/** UTF-16 units of all scenarios that are on, as JSON. */
const SCENARIOS_LENGTH_MAX = 4 << 20

/**
 * A UserError when scenarios have too many rules together, of which one without rules counts as
 * one, or are too long together.
 */
export function checkRules(scenarios: readonly Pick<Scenario, 'rules' | 'length'>[]): void {
  const count = scenarios.reduce((sum, { rules }) => sum + Math.max(1, rules.length), 0)
  if (count > RULES_MAX)
    throw new UserError(
      `with it ${count} rules of scenarios would be on, at most ${RULES_MAX}: ` +
        'take some off first',
    )
  const length = scenarios.reduce((sum, one) => sum + one.length, 0)
  if (length > SCENARIOS_LENGTH_MAX)
    throw new UserError(
      `with it scenarios would have ${length} characters as JSON, at most ` +
        `${SCENARIOS_LENGTH_MAX}: take some off first`,
    )
}
