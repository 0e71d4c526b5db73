/**
 * A published crash, played by its story and compared figure by figure, and a fall of 15 % on all
 * exchanges.
 */
import path from 'node:path'
import type { TapeMs } from '../../src/clock/instant.ts'
import { DEFAULT_ANSWERS } from '../../src/contract/questions.ts'
import type { MarketEvent, TimedMarketEvent } from '../../src/market/events/market-event.ts'
import { STORIES_FOLDER } from '../../src/platform/environment.ts'
import { UserError } from '../../src/platform/user-error.ts'
import type { LoadedWorld } from '../../src/sandbox/loaded-world.ts'
import { parseStoryYaml } from '../../src/sandbox/story/story-parser.ts'
import { MINUTE_MS } from './bars.ts'
import type { Range } from './figures/figure.ts'
import type { Reading } from './observations.ts'
import { type BookOfCourse, bookOfCourse, type CourseOfPair, courseOf } from './readings/course.ts'
import { median } from './statistics/quantiles.ts'

/** Coins whose course is read, the leader first. */
const COINS = ['BTC', 'ETH', 'SOL'] as const
/** Minutes of usual market before an event, and of recovery after it. */
const BEFORE_MIN = 15
const AFTER_MIN = 15
const BOOKS_MS = 30_000

/** What was seen of an event. */
export interface CrashCourse {
  /** Instant of the event, and of its end. */
  eventMs: number
  endMs: number
  coins: Record<(typeof COINS)[number], CourseOfPair[]>
  /** The leader's book. */
  books: BookOfCourse[]
}

/** The fall that the pictures show. */
export const FALL: MarketEvent = { kind: 'move', coin: 'BTC', pct: -15, overS: 900 }

/** The event of the story of the published crash. */
export async function publishedCrash(): Promise<MarketEvent> {
  const file = path.join(STORIES_FOLDER, `${STORY}.yaml`)
  const { steps } = parseStoryYaml(STORY, file, await Bun.file(file).text(), [])
  const event = steps.flatMap(({ do: actions }) => actions).find(({ market }) => market)?.market
  if (!event) throw new UserError(`${file} has no market event`)
  return event as MarketEvent
}

const STORY = 'tenth-of-october'

/** Lets an event happen after the tape of a world, and reads its course. */
export async function courseOfCrash(world: LoadedWorld, event: MarketEvent): Promise<CrashCourse> {
  if (!world.growth) throw new UserError('a market that ends with its tape has no crash')
  const t0Ms = world.timeline.tapeEndMs
  const eventMs = t0Ms + BEFORE_MIN * MINUTE_MS
  const timed: TimedMarketEvent = { event, requestedMs: t0Ms, fromMs: eventMs }
  const branch = await world.growth.branch({ t0Ms, events: [timed] })
  const release = branch.growth?.hold()
  const endMs = eventMs + lengthOf(event)
  const untilMs = endMs + AFTER_MIN * MINUTE_MS
  await branch.growth?.ensure(untilMs as TapeMs)
  const at = (atMs: number) =>
    branch.facts({ atMs: atMs as TapeMs, shiftMs: 0, answers: DEFAULT_ANSWERS })
  const facts = at(untilMs)
  const coins = Object.fromEntries(COINS.map((coin) => [coin, courseOf(facts, coin, t0Ms)]))
  const count = Math.floor((untilMs - t0Ms) / BOOKS_MS)
  const books = Array.from({ length: count }, (_, nth) =>
    bookOfCourse(at(t0Ms + (nth + 1) * BOOKS_MS), COINS[0]),
  ).filter((book) => book !== null)
  release?.()
  return { eventMs, endMs, coins: coins as CrashCourse['coins'], books }
}

function lengthOf(event: MarketEvent): number {
  if (event.kind !== 'move') throw new UserError(`a ${event.kind} is no crash`)
  return event.overS * 1000 * (event.revertPct ? 2 : 1)
}

/** One figure of the published crash beside ours. */
export interface CrashFigure {
  title: string
  /** As it was published, with the letter of its source. */
  published: string
  form: 'percent' | 'number'
  of: (course: CrashCourse) => number
}

export const CRASH_FIGURES: readonly CrashFigure[] = [
  ...COINS.map((coin, at) => ({
    title: `${coin} at its low`,
    published: ['-11 % in minutes, -16.9 % in three hours', '-17.8 %', '-30 %'][at] as string,
    form: 'percent' as const,
    of: ({ coins, eventMs }: CrashCourse) => lowOf(coins[coin][0]?.prices ?? [], eventMs),
  })),
  {
    title: 'liquidated within 40 minutes, of the open interest of all exchanges',
    published: '3 % (6.93 B$, without some exchanges); 9 % in a day (19 B$)',
    form: 'percent',
    of: ({ coins: { BTC }, eventMs }) =>
      sum(BTC.flatMap((pair) => closed(pair, eventMs).map(({ usd }) => usd))) /
      sum(BTC.map((pair) => before(pair.interest, eventMs) * before(pair.prices, eventMs))),
  },
  {
    title: 'long positions among them',
    published: '84 %',
    form: 'percent',
    of: ({ coins: { BTC }, eventMs }) => {
      const all = BTC.flatMap((pair) => closed(pair, eventMs))
      return sum(all.map(({ long }) => long)) / sum(all.map(({ usd }) => usd))
    },
  },
  {
    title: 'the largest minute among these 40',
    published: '46 % (3.2 B$)',
    form: 'percent',
    of: ({ coins: { BTC }, eventMs }) => {
      const all = BTC.flatMap((pair) => closed(pair, eventMs))
      const minutes = Map.groupBy(all, ({ timeMs }) => timeMs).values()
      return (
        Math.max(...minutes.map((list) => sum(list.map(({ usd }) => usd)))) /
        sum(all.map(({ usd }) => usd))
      )
    },
  },
  {
    title: 'open interest of BTC on all exchanges, in coins',
    published: '-18.6 % within the day',
    form: 'percent',
    of: ({ coins: { BTC }, eventMs }) =>
      sum(BTC.map(({ interest }) => interest.at(-1)?.value ?? Number.NaN)) /
        sum(BTC.map(({ interest }) => before(interest, eventMs))) -
      1,
  },
  {
    title: 'open interest of BTC, ETH and SOL on all exchanges, in dollars',
    published: '-33.5 % (with XRP)',
    form: 'percent',
    of: ({ coins, eventMs }) => {
      const pairs = COINS.flatMap((coin) => coins[coin])
      const after = pairs.map(
        ({ interest, prices }) => (interest.at(-1)?.value ?? 0) * (prices.at(-1)?.value ?? 0),
      )
      const earlier = pairs.map(
        ({ interest, prices }) => before(interest, eventMs) * before(prices, eventMs),
      )
      return sum(after) / sum(earlier) - 1
    },
  },
  {
    title: 'depth of the book at its least, of the usual one',
    published: 'about 2 %',
    form: 'percent',
    of: (course) => {
      const { usual, during } = booksOf(course)
      return Math.min(...during.map(({ depth }) => depth)) / median(usual.map(({ depth }) => depth))
    },
  },
  {
    title: 'spread at its widest, over the usual one',
    published: '–',
    form: 'number',
    of: (course) => {
      const { usual, during } = booksOf(course)
      return (
        Math.max(...during.map(({ spread }) => spread)) / median(usual.map(({ spread }) => spread))
      )
    },
  },
]

/** One figure of the fall of 15 %, beside what was seen of such falls at first and in reality. */
export interface FallFigure extends Pick<CrashFigure, 'title' | 'form' | 'of'> {
  first: string
  real: Range
  reason: string
}

export const FALL_FIGURES: readonly FallFigure[] = [
  {
    title: 'a fall of 15 % in 15 minutes: open interest of BTC on all exchanges, in coins',
    first: '-1.8 %',
    real: { min: -0.3, max: -0.12 },
    form: 'percent',
    of: crashFigure('open interest of BTC on all exchanges, in coins'),
    reason: 'it depends on how far the crowd of the seed is from its liquidations',
  },
  {
    title: 'a fall of 15 % in 15 minutes: liquidated, of the open interest of all exchanges',
    first: '2.4 %',
    real: { min: 0.1, max: 0.3 },
    form: 'percent',
    of: crashFigure('liquidated within 40 minutes, of the open interest of all exchanges'),
    reason: 'it depends on how far the crowd of the seed is from its liquidations',
  },
  {
    title: 'a fall of 15 % in 15 minutes: median spread, over the usual one',
    first: '1',
    real: { min: 3, max: 20 },
    form: 'number',
    of: (course) => {
      const { usual, during } = booksOf(course)
      return median(during.map(({ spread }) => spread)) / median(usual.map(({ spread }) => spread))
    },
    reason: 'the usual spread is one tick, and each order of a cascade takes several levels',
  },
]

function crashFigure(title: string): (course: CrashCourse) => number {
  const found = CRASH_FIGURES.find((one) => one.title === title)
  if (!found) throw new Error(`no figure of the crash is called "${title}"`)
  return found.of
}

const PEAK_MIN = 40

function closed({ closings }: CourseOfPair, eventMs: number) {
  return closings
    .filter(({ timeMs }) => timeMs >= eventMs && timeMs < eventMs + PEAK_MIN * MINUTE_MS)
    .map(({ timeMs, long, short }) => ({ timeMs, long, usd: long + short }))
}

function booksOf({ books, eventMs, endMs }: CrashCourse) {
  return {
    usual: books.filter(({ timeMs }) => timeMs < eventMs),
    during: books.filter(({ timeMs }) => timeMs >= eventMs && timeMs <= endMs),
  }
}

function lowOf(prices: readonly Reading[], eventMs: number): number {
  const during = prices.filter(({ timeMs }) => timeMs >= eventMs).map(({ value }) => value)
  return Math.min(...during) / before(prices, eventMs) - 1
}

/** The last reading before an instant. */
const before = (readings: readonly Reading[], atMs: number): number =>
  readings.findLast(({ timeMs }) => timeMs < atMs)?.value ?? Number.NaN

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)
