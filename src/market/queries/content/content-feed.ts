/**
 * Feeds: posts written regularly, or whenever something happens. When a feed is due, and
 * what it says, are functions of the world and of the instant it is due at, so nothing depends on
 * what was read before.
 *
 * Instants are whole seconds. Feeds of one list have different `number % 30`, and each is due at
 * that second of a half minute, so that no two posts of a list are of the same second.
 */

import { later, type TapeMs, tapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import { loadNames } from '../../../random/made-up-names.ts'
import { randomSource } from '../../../random/random-source.ts'
import { Cache } from '../../world/cache.ts'
import { perWorld } from '../../world/per-world.ts'
import type { World } from '../../world/world.ts'
import { readMarkets } from './market-view.ts'

const GRID_MS = 30_000
/** No more feeds than that: the number is the last part of the ids. */
const FEEDS_MAX = 64
/** How many instants are tried for a list, so that a market without trades is found soon. */
const TRIES_MAX = 400
/** Posts kept in memory, about a kilobyte each. */
const CACHE_LIMIT = 2_000

export interface ContentFeed<T> {
  /** 0 to 63, of one feed only, for ever. */
  number: number
  /** The newest instant before another at which it is due, ms; null before the first. */
  due(world: World, beforeMs: number): TapeMs | null
  /** What it says at such an instant, from what had happened by then; null is nothing. */
  write(world: World, atMs: TapeMs): T | null
  /** Brings into memory what it looks at besides a day of the markets. */
  read?(world: World, atMs: TapeMs): Slices<unknown>
}

/** What a feed has published. */
export interface Post<T> {
  /** Seconds since the history began, and the feed. */
  id: number
  timeMs: TapeMs
  content: T
}

/** Due once in each span of `everyMs`, at a random instant of it. */
export function atIntervals(number: number, everyMs: number): ContentFeed<unknown>['due'] {
  return (world, beforeMs) => {
    const { seed, historyStartMs } = world.meta
    const dueIn = (slot: number) => {
      const random = randomSource(seed, `column ${number}, slot ${slot} of ${everyMs}`)
      const steps = random.between(0, everyMs / GRID_MS - 1)
      return tapeMs(slot * everyMs + steps * GRID_MS + secondMs(number))
    }
    const slot = Math.floor((beforeMs - 1) / everyMs)
    const atMs = dueIn(slot) < beforeMs ? dueIn(slot) : dueIn(slot - 1)
    return atMs < historyStartMs ? null : atMs
  }
}

/** When an event of an instant is reported: at the feed's second, up to 30 s later. */
export function publishedAtMs(number: number, timeMs: number): TapeMs {
  const late = (timeMs - secondMs(number)) % GRID_MS
  return tapeMs(late === 0 ? timeMs : timeMs - late + GRID_MS)
}

/** The newest such instant before another, and the beginning of what it reports. */
export const publishedBeforeMs = (number: number, beforeMs: number) =>
  later(publishedAtMs(number, beforeMs), -GRID_MS)
export const coveredFromMs = (atMs: TapeMs) => later(atMs, 1 - GRID_MS)

const secondMs = (number: number) => (number % (GRID_MS / 1000)) * 1000

/** The newest `count` posts of some feeds before an instant, newest first, after `skip`. */
export function* newestPosts<T>(
  world: World,
  feeds: readonly ContentFeed<T>[],
  { beforeMs, count, skip = 0 }: { beforeMs: number; count: number; skip?: number },
): Slices<Post<T>[]> {
  const found: Post<T>[] = []
  let tries = skip + TRIES_MAX
  let left = skip
  for (const { feed, timeMs } of duePosts(world, feeds, beforeMs)) {
    if (found.length >= count || tries-- === 0) break
    yield
    // What is skipped is not written, so a feed that is skipped must always have something.
    if (left > 0) left--
    else found.push(...((yield* makePost(world, feed, timeMs)) ?? []))
  }
  return found
}

/** Ids of the newest posts before an instant, unwritten: of feeds that always have something. */
export function newestIds<T>(
  world: World,
  feeds: readonly ContentFeed<T>[],
  beforeMs: number,
  count: number,
): number[] {
  const due = duePosts(world, feeds, beforeMs).take(count)
  return Array.from(due, ({ feed, timeMs }) => idOf(world, feed, timeMs))
}

/** When which feed is due, newest first. */
function* duePosts<T>(world: World, feeds: readonly ContentFeed<T>[], beforeMs: number) {
  const due = feeds.map((feed) => feed.due(world, beforeMs))
  for (;;) {
    const at = indexOfLatest(due)
    const [feed, timeMs] = [feeds[at], due[at] ?? null]
    if (!feed || timeMs === null) return
    due[at] = feed.due(world, timeMs)
    yield { feed, timeMs }
  }
}

/** The post of an id, published at `atMs` or before; null where there is none. */
export function* postOf<T>(
  world: World,
  feeds: readonly ContentFeed<T>[],
  id: number,
  atMs: TapeMs,
): Slices<Post<T> | null> {
  const feed = feeds.find(({ number }) => number === id % FEEDS_MAX)
  const timeMs = tapeMs((Math.floor(id / FEEDS_MAX) + startS(world)) * 1000)
  if (!feed || timeMs > atMs || feed.due(world, timeMs + 1) !== timeMs) return null
  return (yield* makePost(world, feed, timeMs))?.[0] ?? null
}

function* makePost<T>(
  world: World,
  feed: ContentFeed<T>,
  timeMs: TapeMs,
): Slices<[Post<T>] | null> {
  const id = idOf(world, feed, timeMs)
  const posts = postCache(world)
  let content = posts.find(id) as T | null | undefined
  if (content === undefined) {
    yield* loadNames()
    yield* readMarkets(world, timeMs)
    if (feed.read) yield* feed.read(world, timeMs)
    content = posts.put(id, feed.write(world, timeMs)) as T | null
  }
  return content === null ? null : [{ id, timeMs, content }]
}

const idOf = <T>(world: World, { number }: ContentFeed<T>, timeMs: TapeMs) =>
  (timeMs / 1000 - startS(world)) * FEEDS_MAX + number

const startS = ({ meta }: World) => Math.floor(meta.historyStartMs / 1000)

/** By id. */
const postCache = perWorld(() => new Cache<number, unknown>(CACHE_LIMIT))

/** Of the due instants; -1 when nothing is due. */
function indexOfLatest(due: (number | null)[]): number {
  let found = -1
  for (let at = 0; at < due.length; at++)
    if (due[at] !== null && (found < 0 || (due[at] as number) > (due[found] as number))) found = at
  return found
}
