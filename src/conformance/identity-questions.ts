/** Identities as a target can be judged by them, and their questions as requests. */

import { OPERATIONS } from '../contract/catalogue.ts'
import { type Identity, joinedBy } from '../contract/identities/identity.ts'
import { ADDRESS_IDENTITIES, COIN_IDENTITIES, type Finding } from '../contract/identities.ts'
import { VENUE_INFO_TYPES } from '../contract/info/index.ts'
import { isClose } from './responses.ts'

/** What another service rounds otherwise is not wrong: a unit of the side with fewer digits. */
export const isWrong = ({ holds, left, right }: Finding): boolean =>
  !holds && !isClose(left, right, ROUNDED_PART, Math.min(ROUNDED_MOST, unitOf(left, right)))

const [ROUNDED_PART, ROUNDED_MOST] = [1e-4, 0.02]

function unitOf(...sides: string[]): number {
  const digits = sides.map((side) => side.split('.')[1]?.length ?? 0)
  return 10 ** -Math.min(...digits)
}

/** The requirements of the operations that it joins. */
export function checksOf(identity: Identity): string[] {
  const ids = new Set(OPERATIONS.map(({ id }) => id))
  const operations = joinedBy(identity)
    .filter((name) => !name.startsWith('/ws '))
    .map((name) => `operation.${ids.has(name) ? name : 'perpdex.info'}`)
  return [...new Set(operations)]
}

/**
 * Whether a target can be judged by it: open questions are not judged, and types of the venue alone
 * are not answered.
 */
const isJudged = (identity: Identity): boolean =>
  identity.restsOn === undefined && joinedBy(identity).every((name) => !VENUE_TYPES.has(name))

const VENUE_TYPES = new Set(
  VENUE_INFO_TYPES.filter(({ profile }) => profile === 'raw').map(({ type }) => type),
)

/** Of one address and of one coin each. */
export const JUDGED_IDENTITIES = {
  address: ADDRESS_IDENTITIES.filter(isJudged),
  coin: COIN_IDENTITIES.filter(isJudged),
}
