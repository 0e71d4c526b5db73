import type { TapeMs } from '../../clock/instant.ts'
import type { TimedMarketEvent } from '../../market/events/market-event.ts'
import type { MoodName } from '../../market/synth/mood.ts'
import type { World } from '../../world/world.ts'
import type { LineBranches } from './line-branches.ts'

/** Where a line begins. */
export interface LineOrigin<Line> {
  id: string
  /** What it is until it is grown. */
  world: World
  t0Ms: TapeMs
  mood: MoodName | null
  /** What it was told. */
  events: readonly TimedMarketEvent[]
  /** Those of the same world; null for the first one. */
  branches: LineBranches<Line> | null
}
