import { SELDOM_JUDGED, UNJUDGED } from '../fixtures/unjudged-cases.ts'

/** Cases of the conformance suite that fail through msw, with reasons. */
export const EXEMPTIONS: Readonly<Record<string, string>> = {
  'envelopes.prefix':
    'what is outside the prefixes of the contract is left to other handlers, and so not refused',
  'sockets.timing.protocol-pings':
    'the sockets that msw hands out have no ping of the protocol, as those of browsers have none',
}

interface Judged {
  id: string
  verdict: string
  message: string
}

/** Unexpected failures, and exemptions no longer needed. */
export function unexpected(results: readonly Judged[]): string[] {
  return results.flatMap(({ id, verdict, message }) => {
    if (verdict === 'passed') return id in EXEMPTIONS ? [`${id} passes: drop its exemption`] : []
    return id in EXEMPTIONS || isUnjudged(id, verdict, message) ? [] : [`${id}: ${message}`]
  })
}

/** The world lacks data for it, whatever the transport. */
const isUnjudged = (id: string, verdict: string, message: string): boolean =>
  verdict === 'skipped' &&
  ([...UNJUDGED, ...SELDOM_JUDGED].includes(id) || message.startsWith('not judged: '))
