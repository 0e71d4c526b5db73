/** Finds the operations and channels used by each case, by running it once. */

import { HAND_WRITTEN_CASES } from '../../../../src/conformance/cases.ts'
import { DERIVED_CASES } from '../../../../src/conformance/derived.ts'
import type { Case } from '../../../../src/conformance/probe.ts'
import type { TargetTransport } from '../../../../src/conformance/target-transport.ts'
import { CHANNELS } from '../../../../src/contract/catalogue.ts'
import { PREFIXES } from '../../../../src/contract/prefixes.ts'
import type { Deviation } from '../deviation.ts'
import { routed } from '../routed.ts'
import { trialPlace } from './trial-place.ts'

export interface WatchingCase {
  which: Case
  /** Ids of operations and channels. */
  looksAt: ReadonlySet<string>
  durationMs: number
}

/** Cases that pass without a deviation, and what each uses. */
export async function watchingCases(hasControl: boolean): Promise<WatchingCase[]> {
  const watching: WatchingCase[] = []
  let place = await trialPlace(hasControl)
  for (const which of [...HAND_WRITTEN_CASES, ...DERIVED_CASES]) {
    if (place.isUsed()) {
      place.drop()
      place = await trialPlace(hasControl)
    }
    const looksAt = new Set<string>()
    const startMs = performance.now()
    const { verdict, message } = await place.run(
      which,
      place.sharing(noting(place.transport, looksAt)),
    )
    if (verdict === 'failed') throw new Error(`${which.id} fails without a deviation: ${message}`)
    watching.push({ which, looksAt, durationMs: performance.now() - startMs })
  }
  return watching
}

/** Records requests and connections. */
const noting = (transport: TargetTransport, looksAt: Set<string>): TargetTransport => ({
  request: (sent) => {
    const id = routed(sent.method, sent.path)?.operation.id
    if (id !== undefined) looksAt.add(id)
    return transport.request(sent)
  },
  connect: (path) => {
    for (const { id, dialect } of CHANNELS)
      if (PREFIXES.some((prefix) => path.split('?')[0] === `${prefix}${dialect.path}`))
        looksAt.add(id)
    return transport.connect(path)
  },
})

/** Candidate cases for a deviation: those about it first, then the fast ones. */
export function casesFor({ of, caseId }: Deviation, cases: readonly WatchingCase[]): Case[] {
  const meant = cases.filter(
    ({ which, looksAt }) =>
      (caseId === undefined || which.id === caseId) && (of === null || looksAt.has(of)),
  )
  const rank = ({ which, durationMs }: WatchingCase) =>
    durationMs + (of !== null && which.id.includes(of) ? 0 : 10_000)
  return meant.sort((one, other) => rank(one) - rank(other)).map(({ which }) => which)
}
