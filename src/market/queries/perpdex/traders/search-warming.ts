/**
 * What searches by curves need of all traders is made little by little after the first search, so
 * that the next ones find it. An idle server has none of it.
 */

import { isSlices, type Slices } from '../../../../clock/turns.ts'
import type { Moment } from '../../../../contract/facts.ts'
import { DEFAULT_ANSWERS } from '../../../../contract/questions.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { perWorld } from '../../../world/per-world.ts'
import type { World } from '../../../world/world.ts'
import { drawdownOf } from '../pnl-curves/drawdown.ts'
import { WINDOW_DAYS } from '../pnl-curves/pnl-curve.ts'
import { sharpeRatio } from './sharpe-ratio.ts'
import { searchTraders } from './trader-search.ts'
import { activeTraders } from './trader-snapshot.ts'

/**
 * Searches that nobody asked for, of one row. The first one of a process takes several times as
 * long as the next: code and statements are compiled, and the file is read for the first time.
 */
export function* rehearseSearch(world: World): Slices<void> {
  // By a clock on which funding is charged late, as it is by most.
  const moment = { atMs: world.startMs, shiftMs: 1, answers: DEFAULT_ANSWERS }
  const query = { pageNum: 1, pageSize: 1, period: 7, loadPnls: true, loadTags: true }
  const addrs = tradersOf(world)
    .list.slice(0, REHEARSED)
    .map(({ address }) => address)
  const filters = [{ field: 'ddDrawdown', op: '>=', val: 0 } as const]
  for (const one of [query, { ...query, addrs, filters, sort: { field: 'sharpe' } }]) {
    const search = searchTraders(world, moment, one)
    if (isSlices(search)) yield* search
  }
}

/** Whose curves are made for it: of enough traders for code to be compiled, and no more. */
const REHEARSED = 40

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

const ALL_DAYS = Object.values(WINDOW_DAYS)

/** Goes on for ever; each turn takes about a millisecond. */
export async function* warmSearches(world: World): AsyncGenerator<void> {
  for (;;) {
    const moment = await warmingOf(world).next()
    const traders = activeTraders(world, moment.atMs)
    for (const { id } of traders) {
      yield
      for (const days of ALL_DAYS) sharpeRatio(world, moment, id, days)
    }
    // Last, as they take the longest by far.
    for (const { id } of traders) {
      yield
      for (const days of ALL_DAYS) drawdownOf(world, moment, id, days)
    }
  }
}
