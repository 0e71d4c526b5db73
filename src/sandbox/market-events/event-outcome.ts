/** What came of a market event: how the markets that it acts on have changed since it began. */

import { tapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import { coinOf, eventEndMs } from '../../market/events/market-event.ts'
import type { CoinChange } from '../../market/world/market-standing.ts'
import type { LoadedWorld } from '../loaded-world.ts'
import { type AskedEvent, eventStateAt } from './asked-event.ts'

/**
 * The change of each coin that it acts on, from when it began to when it ended, or to the instant
 * of the tape that is asked for; nothing while it is planned.
 */
export function* outcomeOf(
  world: Pick<LoadedWorld, 'change' | 'coins'>,
  asked: AskedEvent,
  atMs: number,
): Slices<CoinChange[]> {
  if (eventStateAt(asked, atMs) === 'planned') return []
  const { event, fromMs } = asked.timed
  const untilMs = Math.min(atMs, eventEndMs(asked.timed))
  const coin = coinOf(event)
  const coins = coin === undefined ? [] : coin === null ? world.coins : [coin]
  const changes: CoinChange[] = []
  for (const one of coins) {
    const change = world.change(one, tapeMs(fromMs), tapeMs(untilMs))
    if (change) changes.push(change)
    yield
  }
  return changes
}
