/**
 * What searches by curves need of all traders is made little by little after the first search, so
 * that the next ones find it. An idle server has none of it.
 */
import type { Moment } from '../../../../contract/facts.ts'
import { perWorld } from '../../../per-world.ts'
import type { World } from '../../../world.ts'
import { hourlyCurve, pnlCurve, WINDOW_DAYS } from '../pnl-curves/pnl-curve.ts'
import { activeTraders } from './trader-snapshot.ts'

/** Clocks for which it is done: each has points of its own, and many tests search once only. */
const CLOCKS_MAX = 4

const warmingOf = perWorld(() => {
  const shifts = new Set<number>()
  const wanted: Moment[] = []
  let wake = () => {}
  return {
    /** Marks a clock as searched by. */
    request(moment: Moment): void {
      if (shifts.has(moment.shiftMs) || shifts.size === CLOCKS_MAX) return
      shifts.add(moment.shiftMs)
      wanted.push(moment)
      wake()
    },
    async next(): Promise<Moment> {
      while (wanted.length === 0)
        await new Promise<void>((resume) => {
          wake = resume
        })
      return wanted.shift() as Moment
    },
  }
})

/** A search was asked for. */
export const requestWarming = (world: World, moment: Moment) => warmingOf(world).request(moment)

/** Goes on for ever; each turn takes about a millisecond. */
export async function* warmSearches(world: World): AsyncGenerator<void> {
  for (;;) {
    const moment = await warmingOf(world).next()
    for (const { id } of activeTraders(world, moment.atMs)) {
      yield
      hourlyCurve(world, moment, id, 0)
      for (const days of Object.values(WINDOW_DAYS)) pnlCurve(world, moment, id, days)
    }
  }
}
