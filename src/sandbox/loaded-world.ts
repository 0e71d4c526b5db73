import type { Facts, Moment } from '../contract/facts.ts'
import type { Timeline } from '../contract/timeline.ts'

/** A world as a sandbox sees it. */
export interface LoadedWorld {
  /** Which world it is: tape digest and seed. */
  id: string
  timeline: Timeline
  facts(moment: Moment): Facts
  cast(moment: Moment): unknown
}

/** Finds or casts the world of a tape and a seed. */
export type WorldProvider = (named: { tape?: string; seed?: number }) => Promise<LoadedWorld>
