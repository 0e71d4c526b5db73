/** Tries deviations: case after case looks at a sandbox that deviates, until one notices. */
import type { Case } from '../../../../src/conformance/case.ts'
import { changedTransport } from '../change.ts'
import type { Deviation } from '../deviation.ts'
import type { TrialPlace } from './trial-place.ts'

export interface Trial {
  deviation: Deviation
  /** The case that noticed; null for none. */
  noticedBy: string | null
  message: string
  /** How often something came through otherwise than it was. */
  changed: number
  /** Where it was tried last. */
  place: TrialPlace
}

/**
 * Tries a deviation with cases in turn. A place that a case has used up is followed by a new one;
 * the outcome says which was the last.
 */
export async function tryDeviation(
  deviation: Deviation,
  cases: readonly Case[],
  first: TrialPlace,
  another: () => Promise<TrialPlace>,
): Promise<Trial> {
  const tally = { changed: 0 }
  const outcome = (place: TrialPlace, noticedBy: string | null, message = ''): Trial => ({
    ...{ deviation, noticedBy, message, changed: tally.changed, place },
  })
  let place = first
  let { through, target } = deviating(deviation, place, tally)
  for (const which of cases) {
    if (place.isUsed()) {
      place = await another()
      ;({ through, target } = deviating(deviation, place, tally))
    }
    const { verdict, message } = await place.run(which, through, target)
    if (verdict === 'failed') return outcome(place, which.id, message)
  }
  return outcome(place, null)
}

function deviating(deviation: Deviation, place: TrialPlace, tally: { changed: number }) {
  const change = deviation.change(place)
  return {
    through: changedTransport(place.transport, change, { tally, nowMs: place.nowMs }),
    target: isOfInventory(deviation) ? { ...place.target } : place.target,
  }
}

/** What cases ask once for all of a run: who deviates there must be asked anew. */
const INVENTORY = /^perpdex\.(tickers|topTrades|traders|completedTrades|filledOrders|twapsTop)/

const isOfInventory = ({ of }: Deviation): boolean => of === null || INVENTORY.test(of)
