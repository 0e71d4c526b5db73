import type { TimedMarketEvent } from '../events/market-event.ts'
import type { MoodName } from '../synth/mood.ts'

/** A world that goes on: from which file, from which instant, and what was triggered in it. */
export interface LineOrder {
  /** The world it goes on from: a base world, or another line that has been grown to `t0Ms`. */
  readonly baseFile: string
  /** The file of the line itself; it is made when it is not there. */
  readonly file: string
  /** What the base has after this instant is cut off. Within its tape, or what has been grown. */
  readonly t0Ms: number
  /** All that its market was told, in the order in which it was asked for; some may have ended. */
  readonly events: readonly TimedMarketEvent[]
  /** How its market is disposed, usual when it is left out; a line of another one keeps that. */
  readonly mood?: MoodName | null
}
