/** Articles are many and varied, their figures true, and no institution contradicts itself. */
import { expect, test } from 'bun:test'
import { later, type TapeMs, tapeMs } from '../../src/clock/instant.ts'
import { runToEnd } from '../../src/clock/turns.ts'
import { DEFAULT_ANSWERS } from '../../src/contract/questions.ts'
import { ANNOUNCEMENT_FEEDS } from '../../src/market/queries/content/announcement-feeds.ts'
import { ARTICLE_FEEDS, RSS_FEEDS } from '../../src/market/queries/content/article-feeds.ts'
import { NEWSFLASH_FEEDS } from '../../src/market/queries/content/newsflash-feeds.ts'
import {
  businessEvent,
  EVENT_MS,
} from '../../src/market/queries/content/stories/business-events.ts'
import { institutionsOf } from '../../src/market/queries/content/stories/institutions.ts'
import { tradeHoursOf } from '../../src/market/rows/trade-hours.ts'
import { factsOf } from '../../src/market/world/facts.ts'
import { randomSource } from '../../src/random/random-source.ts'
import { smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** All posts of some feeds, newest first. */
function postsOf<T>(
  feeds: readonly { due: Due; write: (w: typeof world, at: TapeMs) => T | null }[],
) {
  return feeds.flatMap((feed) => {
    const found: { atMs: TapeMs; post: T }[] = []
    for (let atMs = feed.due(world, world.endMs); atMs !== null; atMs = feed.due(world, atMs)) {
      const post = feed.write(world, atMs)
      if (post) found.push({ atMs, post })
    }
    return found
  })
}
type Due = (w: typeof world, beforeMs: number) => TapeMs | null

const articles = [...postsOf(ARTICLE_FEEDS), ...postsOf(RSS_FEEDS)]

test('270 of 300 articles have unique titles, and all several paragraphs', () => {
  for (const feeds of [ARTICLE_FEEDS, RSS_FEEDS]) {
    const posts = postsOf(feeds).slice(0, 300)
    expect(posts.length).toBe(300)
    for (const language of ['cn', 'en'] as const) {
      const titles = posts.map(({ post }) => post.title[language])
      expect(new Set(titles).size).toBeGreaterThanOrEqual(270)
      for (const { post } of posts) {
        const texts = [post.title, post.describe, ...post.paragraphs].map((one) => one[language])
        expect(texts.length).toBeGreaterThanOrEqual(4)
        expect(texts.join(' ')).not.toMatch(/[{}]|undefined|NaN|Infinity|null/)
        expect(/[\u4e00-\u9fff]/.test(texts.join(''))).toBe(language === 'cn')
        expect(new Set(texts).size).toBe(texts.length)
      }
    }
  }
})

/** Every sentence of an article in English. */
const sentences = articles.flatMap(({ atMs, post }) =>
  [post.title, post.describe, ...post.paragraphs].map(({ en }) => ({ atMs, text: en })),
)

test('no sentence has "a" before a number, which may be eight or eleven', () => {
  const scheduled = sentences.filter(({ text }) => /\ban? \$?\d/i.test(text))
  expect(scheduled.map(({ text }) => text)).toEqual([])
})

test('no payment is negative when the funding rate is negative', () => {
  const rates = sentences.filter(({ text }) => /shorts pay longs/.test(text))
  expect(rates.length).toBeGreaterThan(3)
  expect(rates.filter(({ text }) => /pay longs -/.test(text))).toEqual([])
})

const coinOf = (base = '') => world.instruments.find((of) => of.base === base && of.kind === 'perp')
const plain = (text = '') => Number(text.replace(/[$,]/g, ''))

/** Dollars as written, within half of the last written digit. */
function expectMoney(text: string, micros: bigint): void {
  const [number = '', word = ''] = text.split(' ')
  const unit = { billion: 1e9, million: 1e6 }[word] ?? 1
  const size = Math.abs(Number(micros)) / 1e6
  expect(Math.abs(plain(number) * unit - size)).toBeLessThanOrEqual(unit * 0.0051)
}

const MONEY = '(\\$[\\d,.]*\\d(?: [mb]illion)?)'
const found = (pattern: string) => {
  const form = new RegExp(pattern.replaceAll('$M', MONEY).replaceAll('$P', '\\$([\\d,.]*\\d)'))
  const hits = sentences.flatMap(({ atMs, text }) => {
    const [, ...parts] = form.exec(text) ?? []
    const of = coinOf(parts[0])
    return of ? [{ atMs, of, parts: parts.slice(1) as string[] }] : []
  })
  expect(hits.length).toBeGreaterThan(3)
  return hits
}

const tally = (of: number, atMs: TapeMs, spanMs: number) =>
  tradeHoursOf(world).tally(of, later(atMs, 1 - spanMs), later(atMs, 1))

test('statements of articles about prices were true when written', () => {
  for (const { atMs, of, parts } of found(
    '^(\\w+) trades at $P, (\\w+) ([\\d.]+)% over 24 hours',
  )) {
    const px = (ms: number) => tradeHoursOf(world).lastBefore(of.id, later(atMs, 1 - ms))?.px ?? 0
    const [price, way, percent] = parts
    expect(Math.round(plain(price) * 10 ** of.pxDecimals)).toBe(px(0) as number)
    const change = (100 * (px(0) as number)) / (px(DAY) as number) - 100
    expect(Math.abs(Number(percent) * (way === 'down' ? -1 : 1) - change)).toBeLessThan(0.0051)
  }
  for (const { atMs, of, parts } of found('24 hours (\\w+) moved between $P and $P;')) {
    const { low, high } = tally(of.id, atMs, DAY)
    const written = parts.map((text) => Math.round(plain(text) * 10 ** of.pxDecimals))
    expect(written).toEqual([low, high].map(Number))
  }
})

test('statements of articles about turnover were true when written', () => {
  for (const { atMs, of, parts } of found('^(\\w+) turned over $M on HL in a day')) {
    expectMoney(parts[0] ?? '', tally(of.id, atMs, DAY).amount)
  }
  for (const { atMs, of, parts } of found('^(\\w+): net \\w+ of $M on HL in a day$')) {
    const { amount, buyAmount } = tally(of.id, atMs, DAY)
    expectMoney(parts[0] ?? '', 2n * buyAmount - amount)
  }
  for (const { atMs, of, parts } of found('^In a week (\\w+) is .*; HL turned over $M\\.$')) {
    expectMoney(parts[0] ?? '', tally(of.id, atMs, 7 * DAY).amount)
  }
})

test('an institution publishes its stories stage by stage, and keeps its stance', () => {
  const scheduled = new Map<string, { atMs: number; text: string }[]>()
  for (let atMs = world.meta.historyStartMs as number; atMs < world.endMs; atMs += EVENT_MS) {
    const { title, lead, details } = businessEvent(world, tapeMs(atMs), randomSource(1, `${atMs}`))
    const text = [title, lead, ...details].map(({ en }) => en).join(' ')
    for (const { name } of institutionsOf(world))
      if (text.includes(name.en))
        scheduled.set(name.en, [...(scheduled.get(name.en) ?? []), { atMs, text }])
  }
  expect(scheduled.size).toBeGreaterThan(130)
  const all = [...scheduled.values()].flat().map(({ text }) => text)
  for (const pattern of [/has granted/, /has turned down/, /has bought/, /has sold/, /keeps all/])
    expect(all.filter((text) => pattern.test(text)).length).toBeGreaterThan(2)
  for (const { kind, name } of institutionsOf(world)) {
    const own = (scheduled.get(name.en) ?? []).map(({ text }) => text)
    const does = (pattern: RegExp) => own.some((text) => pattern.test(text))
    if (kind === 'capital') expect([does(/has bought/), does(/has sold/)]).not.toEqual([true, true])
    if (kind === 'authority')
      expect([does(/has granted/), does(/has turned down/)]).not.toEqual([true, true])
    if (kind === 'mining') expect([does(/keeps all/), does(/sells most/)]).not.toEqual([true, true])
  }
})

test('no exchange lists and delists a pair within the month', () => {
  for (const feed of ANNOUNCEMENT_FEEDS) {
    const pairs = postsOf([feed]).map(({ post }) => / (\w+\/\w+)$/.exec(post.title.en)?.[1])
    expect(pairs.length).toBeGreaterThan(25)
    expect(new Set(pairs).size).toBe(pairs.length)
  }
})

test('newsrooms publish by the hour, and less at weekends', () => {
  const perHour = new Array<number>(24).fill(0)
  const perDay = [0, 0]
  for (const { atMs } of articles) {
    const date = new Date(atMs)
    const [hour, place] = [date.getUTCHours(), date.getUTCDay() % 6 === 0 ? 1 : 0]
    perHour[hour] = (perHour[hour] ?? 0) + 1
    perDay[place] = (perDay[place] ?? 0) + 1
  }
  const busy = perHour.slice(12, 17).reduce((sum, one) => sum + one, 0) / 5
  const quiet = perHour.slice(20, 24).reduce((sum, one) => sum + one, 0) / 4
  expect(busy / quiet).toBeWithin(2, 8)
  const [weekdays = 0, weekends = 0] = perDay
  expect(weekends / 8 / (weekdays / 22)).toBeWithin(0.35, 0.8)
})

test('no two posts of a list are of the same instant, and titles of a wire seldom repeat', () => {
  for (const feeds of [ARTICLE_FEEDS, RSS_FEEDS, NEWSFLASH_FEEDS]) {
    const posts = postsOf<{ title: { en: string } }>(feeds)
    expect(new Set(posts.map(({ atMs }) => atMs)).size).toBe(posts.length)
    const titles = new Set(posts.map(({ post }) => post.title.en))
    expect(titles.size / posts.length).toBeGreaterThan(0.85)
  }
})

test('articles and items are in the requested language', () => {
  const page = { page: 1, pageSize: 20 }
  for (const language of ['cn', 'en'] as const) {
    const answers = {
      ...DEFAULT_ANSWERS,
      'news-list-language': language,
      'rss-language': language,
    } as const
    const { content } = factsOf(world)({ atMs: world.endMs, shiftMs: 0, answers })
    for (const { title } of [...runToEnd(content.news(page)), ...runToEnd(content.rss(page))])
      expect(/[\u4e00-\u9fff]/.test(title)).toBe(language === 'cn')
    expect(new Set(runToEnd(content.news(page)).map((one) => one.language)).size).toBe(1)
  }
})
