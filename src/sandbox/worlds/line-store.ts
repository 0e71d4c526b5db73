import type { TapeMs } from '../../clock/instant.ts'
import type { TimedMarketEvent } from '../../market/events/market-event.ts'
import type { MoodName } from '../../market/synth/mood.ts'
import type { World } from '../../market/world/world.ts'

/** Where lines are kept: in files of a folder, or in memory. */
export interface LineStore {
  /** The place of a line, ours alone until it is given back. */
  take(name: LineName): LineFile
  /**
   * Opens a line for reading. It ends where nothing has been grown: it is to be grown in slices up
   * to where it is, as all that is read of a line for the first time may be much.
   *
   * @param tapeEndMs where its tape ends
   */
  open(file: string, tapeEndMs: TapeMs): World
}

/** What a line follows from besides the program. */
export interface LineName {
  baseFile: string
  t0Ms: number
  mood: MoodName | null
  events: readonly TimedMarketEvent[]
}

/** A file that is ours until it is given back. */
export interface LineFile {
  file: string
  /** @param isKept whether others find it afterwards; one of our own never is */
  release(isKept: boolean): void
}
