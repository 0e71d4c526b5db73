/**
 * Articles about one coin and about institutions, quotes of analysts, and the figures in them. The
 * texts are in seed/news-texts.json.
 */

import texts from '../../../../seed/news-texts.json' with { type: 'json' }
import { DAY_MS, HOUR_MS, later, MINUTE_MS, type TapeMs } from '../../../clock/instant.ts'
import { format, raw, ZERO } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import { fundingRateSeries } from '../../rows/funding-charges.ts'
import { RATE_DECIMALS } from '../../schema/schema.ts'
import {
  type BilingualText,
  changeOf,
  growthOf,
  moveText,
  percentText,
  phrase,
  priceText,
  sizeText,
  someOf,
  usdWords,
  worded,
} from './bilingual-text.ts'
import { inTurn, type MarketView, type PricedMarket } from './market-view.ts'
import { businessEvent, EVENT_MS } from './stories/business-events.ts'
import { type Institution, institutionsOfKind } from './stories/institutions.ts'
import type { StoryText } from './stories/stories.ts'

/** An article in both languages. */
export interface ArticleText {
  title: BilingualText
  /** First paragraph, one or two sentences. */
  describe: BilingualText
  /** Further paragraphs. */
  paragraphs: BilingualText[]
  source: BilingualText
}

// About one coin: its day, its flow, its positions, its week.

/** An article about a coin from one of several angles, which take turns. */
export function coinArticle(view: MarketView, market: PricedMarket, turn: number): ArticleText {
  const random = view.random(`article on ${market.of.coin}`)
  const figures = coinFigures(view, market)
  const { day, flow, positions, week } = texts.coin.angles
  const angles = market.of.kind === 'perp' ? [day, flow, positions, week] : [day, flow, week]
  const { titles, leads, details } = inTurn(angles, turn)
  const others = angles.map((angle) => angle.details).filter((one) => one !== details)
  const analyst = analystFor(view, `analyst of ${market.of.coin}`)
  const say = (wordings: readonly BilingualText[], name: string) =>
    worded(random.fork(name), wordings, figures)
  return {
    title: say(titles, 'title'),
    describe: say(leads, 'lead'),
    paragraphs: [
      say(details, 'details'),
      ...someOf(random, others, random.between(1, 2)).map((one, at) => say(one, `context ${at}`)),
      coinQuote(view, analyst, figures),
    ],
    source: analyst.house.name,
  }
}

/** A coin's move in an hour and in a day as a headline. */
export const moveHeadline = (view: MarketView, figures: CoinFigures): BilingualText =>
  worded(view.random('headline'), texts.coin.headlines, figures)

// About institutions.

/** Time that an article takes to write. */
const WRITING_MS = 10 * MINUTE_MS

/** Number of the event on which an article of an instant is: one newer than its writing. */
export const reportedEvent = (atMs: TapeMs): number => Math.floor((atMs - WRITING_MS) / EVENT_MS)

/** An article on it. */
export function businessArticle(view: MarketView, column: number): ArticleText {
  const random = view.random(`business in column ${column}`)
  const scheduled = businessEvent(view.world, later(view.atMs, -WRITING_MS), random)
  return storyArticle(view, column, scheduled, random)
}

/** An article on an institution's action; `random` chooses the words. */
export function storyArticle(
  view: MarketView,
  column: number,
  { title, lead, details }: StoryText,
  random: RandomSource,
): ArticleText {
  const { house, who } = analystFor(view, `analyst of column ${column}`)
  const parts = { who, house: house.name }
  const { welcoming, doubtful } = texts.business
  const remark = worded(random, house.isFavourable ? welcoming : doubtful, parts)
  const market = marketLine(view)
  return {
    title,
    describe: lead,
    paragraphs: [phrase('{a}{b}', '{a} {b}', pairOf(details)), remark, ...market],
    source: house.name,
  }
}

const pairOf = ([a, b]: ArticleText['paragraphs']) => ({ a: a ?? '', b: b ?? '' })

/** Present state of the leading coin. */
function marketLine(view: MarketView): ArticleText['paragraphs'] {
  const [first] = view.markets
  if (!first || view.pxAgo(first.of, DAY_MS) === null) return []
  const figures = coinFigures(view, first)
  return [worded(view.random('line'), texts.business.market, figures)]
}

// Quotes of analysts at research houses: each house has a constant stance.

export interface Analyst {
  house: Institution
  who: BilingualText
}

/** An analyst to quote. */
export function analystFor(view: MarketView, name: string): Analyst {
  const random = view.random(name)
  const house = random.pick(institutionsOfKind(view.world)('research'))
  return { house, who: random.pick(house.people()) }
}

/** An analyst's statement about a coin. */
export function coinQuote(
  view: MarketView,
  { house, who }: Analyst,
  figures: CoinFigures,
): BilingualText {
  const parts = { ...figures, who, house: house.name }
  const random = view.random(`quote of ${house.name.en}`)
  const { confident, cautious } = texts.quotes.coin
  return worded(random, house.isFavourable ? confident : cautious, parts)
}

/** An analyst's statement about the market as a whole. */
export function marketQuote(view: MarketView, { house, who }: Analyst): BilingualText {
  const random = view.random(`market quote of ${house.name.en}`)
  const parts = { who, house: house.name }
  const { confident, cautious } = texts.quotes.market
  return worded(random, house.isFavourable ? confident : cautious, parts)
}

// Formatted figures of one coin at an instant.

export type CoinFigures = ReturnType<typeof coinFigures>

/**
 * Turnover and ranges cover 24 hours; `week` is seven days. Each is read on use: few texts have
 * all.
 */
export function coinFigures(view: MarketView, { of, px }: PricedMarket) {
  const day = once(() => view.tally(of, DAY_MS))
  const week = once(() => view.tally(of, 7 * DAY_MS))
  const interest = once(() => view.interestUsd(of))
  const rate = once(() => raw(fundingRateSeries(view.world).at(of, view.atMs) ?? ZERO))
  const move = (ms: number) => () => moveText(changeOf(px, view.pxAgo(of, ms)) ?? 0)
  const high = () => (day().n === 0 ? px : day().high)
  const low = () => (day().n === 0 ? px : day().low)
  const net = () => 2n * day().buyAmount - day().amount
  return {
    coin: of.base,
    price: priceText(of, px),
    hour: move(HOUR_MS),
    day: move(DAY_MS),
    week: move(7 * DAY_MS),
    high: () => priceText(of, high()),
    low: () => priceText(of, low()),
    weekHigh: () => priceText(of, week().n === 0 ? px : week().high),
    weekLow: () => priceText(of, week().n === 0 ? px : week().low),
    below: () => plain(percentText(changeOf(px, high()) ?? 0)),
    above: () => plain(percentText(changeOf(px, low()) ?? 0)),
    volume: () => plain(sizeText(of, day().size)),
    turnover: () => usdWords(day().amount),
    weekTurnover: () => usdWords(week().amount),
    busier: () => comparedWith(day().amount, view.tally(of, DAY_MS, DAY_MS).amount),
    bought: () => usdWords(day().buyAmount),
    sold: () => usdWords(day().amount - day().buyAmount),
    net: () => usdWords(net()),
    way: () =>
      net() < 0n ? { cn: '净流出', en: 'net outflow' } : { cn: '净流入', en: 'net inflow' },
    interest: () => usdWords(interest()),
    interestMove: () => growthText(growthOf(interest(), view.interestUsd(of, DAY_MS)) ?? 0),
    rate: () => plain(`${format(rate(), RATE_DECIMALS - 2)}%`),
    payers: () =>
      rate() < 0
        ? { cn: '空头向多头支付', en: 'shorts pay longs' }
        : { cn: '多头向空头支付', en: 'longs pay shorts' },
  }
}

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** The same in both languages. */
const plain = (text: string): BilingualText => ({ cn: text, en: text })

/** `增加1.23%`, `up 1.23%`: of an amount. */
function growthText(change: number): BilingualText {
  const { cn, en } = moveText(change)
  return { cn: cn.replace('上涨', '增加').replace('下跌', '减少'), en }
}

/** `较前一日增加12%`, `12% more than the day before`. */
function comparedWith(now: bigint, before: bigint): BilingualText {
  if (before === 0n) return { cn: '前一日没有成交', en: 'after a day without trades' }
  const percent = Number((200n * (now - before) + before) / (2n * before))
  if (percent === 0) return { cn: '与前一日持平', en: 'as much as the day before' }
  const size = Math.abs(percent)
  return percent > 0
    ? { cn: `较前一日增加${size}%`, en: `${size}% more than the day before` }
    : { cn: `较前一日减少${size}%`, en: `${size}% less than the day before` }
}
