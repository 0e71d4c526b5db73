/** Scheduled news of a market. */
import { expect, test } from 'bun:test'
import { later, tapeMs } from '../../src/clock/instant.ts'
import { runToEnd } from '../../src/clock/turns.ts'
import { DEFAULT_ANSWERS } from '../../src/contract/questions.ts'
import { NEWS_STORIES } from '../../src/market/events/market-event.ts'
import { factsOf } from '../../src/market/world/facts.ts'
import type { World } from '../../src/market/world/world.ts'
import { smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const SCHEDULED_MS = later(world.startMs, 10_000)

/** The same world with one scheduled piece of news. */
function worldWith(story: (typeof NEWS_STORIES)[number]): World {
  const scheduled = {
    event: { kind: 'news' as const, story },
    requestedMs: world.startMs,
    fromMs: SCHEDULED_MS,
  }
  return { ...world, meta: { ...world.meta, marketEvents: [scheduled] } }
}

const contentAt = (of: World, timeMs: number) =>
  factsOf(of)({ atMs: tapeMs(timeMs), shiftMs: 0, answers: DEFAULT_ANSWERS }).content

const PAGE = { page: 1, pageSize: 50 }

test('scheduled news is in every list within half a minute, and not before', () => {
  for (const story of NEWS_STORIES) {
    const scheduled = worldWith(story)
    const lists = (of: World, timeMs: number) => {
      const content = contentAt(of, timeMs)
      return [
        runToEnd(content.news(PAGE)).map(({ title }) => title),
        runToEnd(content.rss(PAGE)).map(({ title }) => title),
        runToEnd(content.newsflashes('en')).map(({ title }) => title),
      ]
    }
    expect(lists(scheduled, SCHEDULED_MS - 1)).toEqual(lists(world, SCHEDULED_MS - 1))
    const [before, after] = [
      lists(world, SCHEDULED_MS + 31_000),
      lists(scheduled, SCHEDULED_MS + 31_000),
    ]
    for (const [at, titles] of after.entries())
      expect(titles.filter((title) => !before[at]?.includes(title))).toHaveLength(1)
  }
})

test('a scheduled article is found by its id, and nowhere else', () => {
  const scheduled = worldWith('licence')
  const afterMs = SCHEDULED_MS + 31_000
  const known = runToEnd(contentAt(world, afterMs).news(PAGE))
  const [own] = runToEnd(contentAt(scheduled, afterMs).news(PAGE)).filter(({ id }) =>
    known.every((one) => one.id !== id),
  )
  const id = own?.id ?? 0
  expect(runToEnd(contentAt(scheduled, afterMs).newsDetail(id))?.content).toStartWith('<p>')
  expect(runToEnd(contentAt(world, afterMs).newsDetail(id))).toBe(null)
  expect(runToEnd(contentAt(scheduled, SCHEDULED_MS).newsDetail(id))).toBe(null)
})
