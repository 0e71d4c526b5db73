/**
 * What searches over all traders need takes a while to read and some memory to cache. It is read
 * with the first search, and the rest of it little by little after that.
 */
import type { Moment } from '../../../../contract/facts.ts'
import { perWorld } from '../../../per-world.ts'
import type { World } from '../../../world.ts'
import { pnlCurvePoints, WINDOW_DAYS } from '../pnl-curves/pnl-curve.ts'
import { activeTraders } from './trader-snapshot.ts'

const firstSearch = perWorld(() => Promise.withResolvers<void>())

/** Marks a world as searched, so that its caches are filled. */
export function requestWarming(world: World): void {
  firstSearch(world).resolve()
}

/** Begins with the first search; each turn takes a few milliseconds at most. */
export async function* warmCaches(world: World, moment: () => Moment): AsyncGenerator<void> {
  await firstSearch(world).promise
  const now = moment()
  for (const { id } of activeTraders(world, now.atMs))
    for (const days of Object.values(WINDOW_DAYS)) {
      pnlCurvePoints(world, now, id, days)
      yield
    }
}
