import { hostClock } from '../../clock/system-clock.ts'
import { warmTimeline } from '../playback/timeline.ts'
import { readGrowingTables } from '../queries/perpdex/growing-tables.ts'
import { rehearseSearch, warmSearches } from '../queries/perpdex/traders/trader-search.ts'
import { warmQuotes } from '../rows/account-state.ts'
import { releaseMappedPages } from './database.ts'
import type { World } from './world.ts'

/** Warms the common data of a grown world before its first use, the rest soon after. */
export async function warmGrown(world: World): Promise<void> {
  await warmFirst(world)
  for (const _ of readGrowingTables(world)) await hostClock.yieldTurn()
  warmRest(world)
}

/** Warms a world between other work, and after the start of the program. */
export async function warmUp(world: World): Promise<void> {
  await new Promise<void>((resume) => hostClock.startTimer(WARM_UP_DELAY_MS, resume))
  await warmFirst(world)
  for (const _ of rehearseSearch(world)) await hostClock.yieldTurn()
  releaseMappedPages(world.db)
  await warmRequested(world)
}

async function warmFirst(world: World): Promise<void> {
  for (const _ of warmTimeline(world)) await hostClock.yieldTurn()
  for (const _ of warmQuotes(world)) await hostClock.yieldTurn()
}

async function warmRest(world: World): Promise<void> {
  for (const _ of rehearseSearch(world)) await hostClock.yieldTurn()
  await warmRequested(world)
}

async function warmRequested(world: World): Promise<void> {
  for await (const _ of warmSearches(world)) await hostClock.yieldTurn()
}

/** Delay that lets a start, or a test with one sandbox, reach its first response. */
const WARM_UP_DELAY_MS = 50
