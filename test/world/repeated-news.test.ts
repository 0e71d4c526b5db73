/** No list of news repeats itself, and flashes report an event at once and as a whole. */
import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import { ANNOUNCEMENT_FEEDS } from '../../src/market/queries/content/announcement-feeds.ts'
import { ARTICLE_FEEDS, RSS_FEEDS } from '../../src/market/queries/content/article-feeds.ts'
import type { BilingualText } from '../../src/market/queries/content/bilingual-text.ts'
import { type ContentFeed, newestPosts } from '../../src/market/queries/content/content-feed.ts'
import { FLASH_FEEDS } from '../../src/market/queries/content/flash-feeds.ts'
import { NEWSFLASH_FEEDS } from '../../src/market/queries/content/newsflash-feeds.ts'
import { smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The newest posts, newest first. */
function postsOf<T extends { title: BilingualText }>(
  feeds: readonly ContentFeed<T>[],
  count: number,
) {
  return runToEnd(newestPosts(world, feeds, { beforeMs: world.endMs + 1, count }))
}

test('no list has the same news twice within three hours', () => {
  const lists: (readonly ContentFeed<{ title: BilingualText }>[])[] = [
    NEWSFLASH_FEEDS,
    ARTICLE_FEEDS,
    RSS_FEEDS,
  ]
  for (const feeds of lists) {
    const posts = postsOf(feeds, 300)
    expect(posts.length).toBe(300)
    for (const [at, { timeMs, content }] of posts.entries()) {
      const near = posts.slice(at + 1).filter((one) => timeMs - one.timeMs < 3 * HOUR)
      expect(near.map((one) => one.content.title.en)).not.toContain(content.title.en)
    }
  }
})

/** Words without their figures. */
const subjectOf = (text: string) => text.replace(/\$?-?[\d.,]+%?/g, '#')

test('no article is on the coin or the institution of the one before', () => {
  for (const feeds of [ARTICLE_FEEDS, RSS_FEEDS]) {
    const posts = postsOf(feeds, 300)
    for (const [at, { content }] of posts.entries()) {
      const before = posts[at + 1]
      if (before)
        expect(subjectOf(before.content.describe.en)).not.toBe(subjectOf(content.describe.en))
    }
  }
})

test('posts of a feed at intervals are at least half an interval apart', () => {
  for (const [number, everyMs] of [
    [32, 30 * MINUTE],
    [33, 20 * MINUTE],
    [34, 40 * MINUTE],
  ] as const) {
    const feed = NEWSFLASH_FEEDS.find((one) => one.number === number) as ContentFeed<unknown>
    let atMs = feed.due(world, world.endMs)
    for (let count = 0; count < 300 && atMs !== null; count++) {
      const before = feed.due(world, atMs)
      if (before !== null) expect(atMs - before).toBeGreaterThanOrEqual(everyMs / 2)
      atMs = before
    }
  }
})

const flashes = postsOf(FLASH_FEEDS, 600)

test('no flash repeats the one of its type before within five minutes', () => {
  for (const type of [1, 3, 8, 16, 23]) {
    const own = flashes.filter(({ content }) => content.type === type)
    for (const [at, { timeMs, content }] of own.entries()) {
      const before = own[at + 1]
      if (!before || timeMs - before.timeMs > 5 * MINUTE) continue
      // A sharp move that goes on passes further thresholds.
      if (/within 15 minutes/.test(content.title.en)) continue
      expect(subjectOf(before.content.title.en)).not.toBe(subjectOf(content.title.en))
    }
  }
})

test('flashes are varied: no type makes up a quarter of them', () => {
  const counts = Map.groupBy(flashes, ({ content }) => content.type)
  for (const [, own] of counts) expect(own.length).toBeLessThan(flashes.length / 4)
})

test('a small cap has a small market value, or is called the smallest', () => {
  const own = flashes.filter(({ content }) => content.type === 1)
  expect(own.length).toBeGreaterThan(0)
  for (const { content } of own)
    if (/billion/.test(content.content.en))
      expect(content.title.en).toMatch(/smallest of \d+ coins/)
})

test('an exchange announces at most one listing a day', () => {
  for (const feed of ANNOUNCEMENT_FEEDS) {
    const posts = postsOf([feed], 20)
    const spanMs = (posts[0]?.timeMs ?? 0) - (posts.at(-1)?.timeMs ?? 0)
    expect(spanMs).toBeGreaterThan(17 * 24 * HOUR)
  }
})

test('a level that was broken is the last one passed', () => {
  const own = flashes.filter(({ content }) => content.type === 18)
  expect(own.length).toBeGreaterThan(0)
  for (const { content } of own) {
    const [, level = '', price = ''] =
      /level of \$([\d,.]*\d) and trades at \$([\d,.]*\d),/.exec(content.content.en) ?? []
    const [at, px] = [level, price].map((text) => Number(text.replaceAll(',', ''))) as [
      number,
      number,
    ]
    expect(Math.abs(px / at - 1)).toBeLessThan(0.026)
  }
})
