/** Queries about TWAPs: large orders that are worked in slices. */
import type { Slices } from '../../../clock/turns.ts'
import type { AddressTwap, TwapImpact, TwapState, TwapWall } from '../../records/twap.ts'

export interface TwapsFacts {
  /** Newest first, running or ended. */
  latest(address: string, query: { coin?: string | undefined; limit: number }): AddressTwap[]
  /** The running ones of an address as the venue writes them, `[id, state]`, oldest first. */
  running(address: string): [number, TwapState][]
  wall(query: { coin?: string | undefined; interval: string }): TwapWall
  /** Running ones, by the value of what is left, largest first. */
  topImpact(query: { coin?: string | undefined; limit: number }): Slices<TwapImpact[]>
}
