/**
 * Feeds: posts at regular times, or at events. Due times and contents are functions of the world
 * and the due instant, so nothing depends on earlier reads.
 *
 * Instants are whole seconds. Feeds of one list have different `number % 30`, and each is due at
 * that second of a half minute, so that no two posts of a list have the same second.
 */

import { later, type TapeMs, tapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import { loadNames } from '../../../random/made-up-names.ts'
import { randomSource } from '../../../random/random-source.ts'
import type { MarketEvent } from '../../events/market-event.ts'
import { Cache, perWorld } from '../../world/cache.ts'
import type { World } from '../../world/world.ts'
import { type ArticleText, storyArticle } from './article-texts.ts'
import { type BilingualText, joined, phrase } from './bilingual-text.ts'
import { MarketView, readMarkets } from './market-view.ts'
import { scheduledStory } from './stories/business-events.ts'
import type { StoryText } from './stories/stories.ts'

// News of market events: a story at an instant, in each list of news.

/** Articles on them. */
export const scheduledArticles = (number: number): ContentFeed<ArticleText> => ({
  number,
  due: (world, beforeMs) => newestBefore(world, number, beforeMs),
  write: (world, atMs) => {
    const scheduled = scheduledAt(world, number, atMs)
    const view = new MarketView(world, atMs)
    return scheduled && storyArticle(view, number, scheduled.text, scheduled.random)
  },
})

/** The same in short. */
export const scheduledNewsflashes = (
  number: number,
): ContentFeed<{ title: BilingualText; content: BilingualText }> => ({
  number,
  due: (world, beforeMs) => newestBefore(world, number, beforeMs),
  write: (world, atMs) => {
    const scheduled = scheduledAt(world, number, atMs)
    if (!scheduled) return null
    const { title, lead, details } = scheduled.text
    return { title, content: joined([lead, ...details.slice(0, 1)]) }
  },
})

/** An event is published once, so the instants of one feed are those of the events. */
const newsOf = ({ meta }: World): { event: ReportedEvent; atMs: TapeMs }[] =>
  meta.marketEvents.flatMap(({ event, fromMs }) =>
    event.kind === 'news' || event.kind === 'listing' ? [{ event, atMs: tapeMs(fromMs) }] : [],
  )

type ReportedEvent = Extract<MarketEvent, { kind: 'news' | 'listing' }>

function newestBefore(world: World, number: number, beforeMs: number): TapeMs | null {
  const published = newsOf(world).map(({ atMs }) => publishedAtMs(number, atMs))
  const due = published.filter((timeMs) => timeMs < beforeMs)
  return due.length === 0 ? null : tapeMs(Math.max(...due))
}

function scheduledAt(world: World, number: number, publishedMs: TapeMs) {
  const news = newsOf(world).find(({ atMs }) => publishedAtMs(number, atMs) === publishedMs)
  if (!news) return null
  const random = randomSource(world.meta.seed, `told news in column ${number} at ${publishedMs}`)
  const { event, atMs } = news
  const isNews = event.kind === 'news'
  const text = isNews ? scheduledStory(world, event.story, atMs, random) : listingStory(event)
  return { text, random }
}

/** News of a coin that the venue has listed. */
function listingStory({ coin, px }: Extract<MarketEvent, { kind: 'listing' }>): StoryText {
  const parts = { coin, px: `$${px}` }
  return {
    title: phrase('HL上线{coin}永续合约', 'HL opens trading of {coin}', parts),
    lead: phrase(
      'HL宣布已上线{coin}永续合约，开盘价为{px}。',
      'HL has listed a perpetual of {coin}, which began at {px}.',
      parts,
    ),
    details: [
      phrase(
        '合约以USDC结算，上线初期杠杆上限较低。',
        'It is settled in USDC, with low leverage at first.',
      ),
      phrase(
        '新币种上线首小时价格波动通常较大。',
        'Prices of new coins usually move more in their first hour than later.',
      ),
    ],
  }
}

const GRID_MS = 30_000
/** Limit of feeds: the number is the last part of the ids. */
const FEEDS_MAX = 64
/** Limit of instants tried for a list, so that a market without trades ends soon. */
const TRIES_MAX = 400
/** Posts kept in memory, about a kilobyte each. */
const CACHE_LIMIT = 2_000

export interface ContentFeed<T> {
  /** 0 to 63, unique and permanent. */
  number: number
  /** Newest due instant before another, ms; null before the first. */
  due(world: World, beforeMs: number): TapeMs | null
  /** The post due at such an instant, from events up to it; null for none. */
  write(world: World, atMs: TapeMs): T | null
  /** Loads what it reads besides a day of the markets. */
  read?(world: World, atMs: TapeMs): Slices<unknown>
}

/** A published post. */
export interface Post<T> {
  /** Seconds since the history began, combined with the feed. */
  id: number
  timeMs: TapeMs
  content: T
}

/**
 * Due once in each span of `everyMs`, at a random instant of its first half: two in sequence are at
 * least half a span apart.
 */
export function atIntervals(number: number, everyMs: number): ContentFeed<unknown>['due'] {
  return (world, beforeMs) => {
    const { seed, historyStartMs } = world.meta
    const dueIn = (slot: number) => {
      const random = randomSource(seed, `column ${number}, slot ${slot} of ${everyMs}`)
      const steps = random.between(0, everyMs / GRID_MS / 2 - 1)
      return tapeMs(slot * everyMs + steps * GRID_MS + secondMs(number))
    }
    const slot = Math.floor((beforeMs - 1) / everyMs)
    const atMs = dueIn(slot) < beforeMs ? dueIn(slot) : dueIn(slot - 1)
    return atMs < historyStartMs ? null : atMs
  }
}

/** Publication time of an event: at the feed's second, up to 30 s later. */
export function publishedAtMs(number: number, timeMs: number): TapeMs {
  const late = (timeMs - secondMs(number)) % GRID_MS
  return tapeMs(late === 0 ? timeMs : timeMs - late + GRID_MS)
}

/** Newest such instant before another, and the beginning of the span that it reports. */
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
    // Skipped posts are not written, so a skipped feed must always have a text.
    if (left > 0) left--
    else found.push(...((yield* makePost(world, feed, timeMs)) ?? []))
  }
  return found
}

/** Ids of the newest posts before an instant, unwritten: for feeds that always have a text. */
export function newestIds<T>(
  world: World,
  feeds: readonly ContentFeed<T>[],
  beforeMs: number,
  count: number,
): number[] {
  const due = duePosts(world, feeds, beforeMs).take(count)
  return Array.from(due, ({ feed, timeMs }) => idOf(world, feed, timeMs))
}

/** Due times with their feeds, newest first. */
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

/** The post of an id, published at `atMs` or before; null for none. */
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

/** Index of the latest due instant; -1 when nothing is due. */
function indexOfLatest(due: (number | null)[]): number {
  let found = -1
  for (let at = 0; at < due.length; at++)
    if (due[at] !== null && (found < 0 || (due[at] as number) > (due[found] as number))) found = at
  return found
}
