/** The small world, searched for traders. */

import { tapeMs } from '../src/clock/instant.ts'
import { CHOSEN } from '../src/contract/questions.ts'
import { COLUMNS, type Discovered, type DiscoverQuery } from '../src/contract/records/discovered.ts'
import { isRefusal } from '../src/contract/refusal.ts'
import { factsOf } from '../src/world/facts.ts'
import { smallWorld } from './small-world.ts'

export const world = await smallWorld()
export const DAY_MS = 86_400_000
export const SHIFT_MS = 30_000_007_000
export const nowMs = world.startMs + 150_000
export const at = (atMs: number) =>
  factsOf(world)({ atMs: tapeMs(atMs), shiftMs: SHIFT_MS, answers: CHOSEN })

export type Wish = Partial<DiscoverQuery>
export type Found = { list: Discovered[]; total: number }

export function search(wish: Wish, atMs = nowMs): Found {
  const answer = at(atMs).traders.discover({ pageNum: 1, pageSize: 25, period: 7, ...wish })
  if (isRefusal(answer)) throw new Error(JSON.stringify(answer))
  return answer
}

/** All pages of a search. */
export function all(wish: Wish, atMs = nowMs): Discovered[] {
  const pages = Array.from({ length: 20 }, (_, page) =>
    search({ ...wish, pageNum: page + 1 }, atMs),
  )
  return pages.flatMap(({ list }) => list)
}

export const everything = all({ selects: COLUMNS })
export const addresses = (list: Discovered[]) => list.map(({ address }) => address).sort()
