/** A lie: a way to contradict oneself in which no single answer or frame looks wrong. */

import type { Change } from './lying-transport.ts'

/** Families of lies, with their descriptions. */
export const FAMILIES = {
  between: 'between answers: a value that another answer contradicts',
  'over-time': 'over time: what was said before is another thing later',
  sockets: 'on sockets: what is lost, repeated, late, or not subscribed',
  refusals: 'in refusals: envelopes, codes and content types',
} as const

export type Family = keyof typeof FAMILIES

export interface Lie {
  /** `between.perpdex.pnls.[].pnl: negated`: unique. */
  id: string
  family: Family
  /** The operation or channel that tells it. */
  of: string
  /** Data without which it cannot be told or noticed. */
  needs: string
  /** The change of the traffic, without state so far. */
  change: () => Change
}
