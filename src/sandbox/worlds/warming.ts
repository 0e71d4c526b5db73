import { hostClock } from '../../clock/system-clock.ts'
import { warmTimeline } from '../../market/playback/timeline.ts'
import { readGrowingTables } from '../../market/queries/perpdex/growing-tables.ts'
import {
  rehearseSearch,
  warmSearches,
} from '../../market/queries/perpdex/traders/search-warming.ts'
import { warmQuotes } from '../../market/rows/place-quotes.ts'
import type { World } from '../../market/world/world.ts'

/** What everybody looks at is ready before anybody is on the world, the rest soon after. */
export async function warmGrown(world: World): Promise<void> {
  await warmFirst(world)
  for (const _ of readGrowingTables(world)) await hostClock.yieldTurn()
  warmRest(world)
}

/** Between whatever else is done, and after whatever a program that starts does first. */
export async function warmUp(world: World): Promise<void> {
  await new Promise<void>((resume) => hostClock.startTimer(WARM_UP_DELAY_MS, resume))
  await warmFirst(world)
  await warmRest(world)
}

async function warmFirst(world: World): Promise<void> {
  for (const _ of warmTimeline(world)) await hostClock.yieldTurn()
  for (const _ of warmQuotes(world)) await hostClock.yieldTurn()
}

async function warmRest(world: World): Promise<void> {
  for (const _ of rehearseSearch(world)) await hostClock.yieldTurn()
  for await (const _ of warmSearches(world)) await hostClock.yieldTurn()
}

/** So long a start, or a test with one sandbox, takes to its first answer. */
const WARM_UP_DELAY_MS = 50
