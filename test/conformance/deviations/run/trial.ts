/** Tries deviations: cases run in turn against a deviating sandbox until one fails. */

import { changedTransport, type Tally } from '../../../../src/conformance/lies/lying-transport.ts'
import type { Case } from '../../../../src/conformance/probe.ts'
import type { TargetTransport } from '../../../../src/conformance/target-transport.ts'
import type { Deviation } from '../deviation.ts'
import type { TrialPlace } from './trial-place.ts'

export interface Trial {
  deviation: Deviation
  /** The detecting case; null for none. */
  noticedBy: string | null
  message: string
  /** Number of changed items. */
  changed: number
  /** Its last place. */
  place: TrialPlace
}

/**
 * Tries a deviation with cases in turn. A used place is replaced by a new one; the outcome contains
 * the last one.
 */
export async function tryDeviation(
  deviation: Deviation,
  cases: readonly Case[],
  first: TrialPlace,
  another: () => Promise<TrialPlace>,
): Promise<Trial> {
  const tally = { changed: 0 }
  const outcome = (place: TrialPlace, noticedBy: string | null, message = ''): Trial => ({
    deviation,
    noticedBy,
    message,
    changed: tally.changed,
    place,
  })
  let place = first
  let through = deviating(deviation, place, tally)
  for (const which of cases) {
    if (place.isUsed()) {
      place.drop()
      place = await another()
      through = deviating(deviation, place, tally)
    }
    const { verdict, message } = await place.run(which, through)
    if (verdict === 'failed') return outcome(place, which.id, message)
  }
  return outcome(place, null)
}

function deviating(deviation: Deviation, place: TrialPlace, tally: Tally): TargetTransport {
  const { transport, nowMs } = place
  const changed = changedTransport(transport, deviation.change(place), { tally, nowMs })
  return isLookedUp(deviation) ? changed : place.sharing(changed)
}

/** Lookups shared in a run: repeated where they deviate. */
const LOOKED_UP =
  /^perpdex\.(tickers|topTrades|traders|completedTrades|filledOrders|orders|twapsTop)/

const isLookedUp = ({ id, of }: Deviation): boolean =>
  of === null ||
  LOOKED_UP.test(of) ||
  /^(coin|index|content|indicator)\./.test(of) ||
  CEILING.test(id)

/** Lookups of truncated responses. */
const CEILING = /^limit\..*: its most is one row fewer/
