/** Feeds of articles and of news from other sites. */

import texts from '../../../../seed/news-texts.json' with { type: 'json' }
import { DAY_MS, HOUR_MS, type TapeMs, tapeMs } from '../../../clock/instant.ts'
import { randomSource } from '../../../random/random-source.ts'
import { Cache, perWorld } from '../../world/cache.ts'
import type { World } from '../../world/world.ts'
import {
  type ArticleText,
  analystFor,
  businessArticle,
  coinArticle,
  coinFigures,
  marketQuote,
  reportedEvent,
} from './article-texts.ts'
import {
  changeOf,
  joined,
  moveText,
  percentText,
  phrase,
  priceText,
  usdWords,
  worded,
} from './bilingual-text.ts'
import { type ContentFeed, publishedAtMs, scheduledArticles } from './content-feed.ts'
import { inTurn, MarketView, type PricedMarket } from './market-view.ts'

// Articles about all coins: performance, turnover, comparisons.

/** An article about the market from one of several angles; needs at least three coins. */
function marketArticle(view: MarketView, markets: PricedMarket[], turn: number): ArticleText {
  return inTurn([marketWrap, turnoverTable, coinPairArticle], turn)(view, markets)
}

/** Daily performance of the coins. */
function marketWrap(view: MarketView, markets: PricedMarket[]): ArticleText {
  const random = view.random('wrap')
  const moved = markets
    .map(({ of, px }) => ({ of, px, change: changeOf(px, view.pxAgo(of, DAY_MS)) ?? 0 }))
    .sort((a, b) => b.change - a.change || a.of.id - b.of.id)
  const [best, worst] = [moved[0], moved.at(-1)] as [(typeof moved)[0], (typeof moved)[0]]
  const listed = moved.map(({ of, px, change }) =>
    phrase('{coin}报{price}，{move}', '{coin} at {price}, {move}', {
      coin: of.base,
      price: priceText(of, px),
      move: moveText(change),
    }),
  )
  const turnover = markets.reduce((sum, { of }) => sum + view.tally(of, DAY_MS).amount, 0n)
  const analyst = analystFor(view, 'analyst of the market')
  const parts = {
    rising: moved.filter(({ change }) => change > 0).length,
    all: moved.length,
    turnover: usdWords(turnover),
    list: joined(listed, '；', '; '),
    best: best.of.base,
    bestMove: moveText(best.change),
    worst: worst.of.base,
    worstMove: moveText(worst.change),
  }
  return {
    title: worded(random.fork('title'), texts.market.wrap.titles, parts),
    describe: worded(random.fork('lead'), texts.market.wrap.leads, parts),
    paragraphs: [
      phrase('各币种表现：{list}。', 'Coin by coin: {list}.', parts),
      worded(random.fork('ends'), texts.market.wrap.ends, parts),
      marketQuote(view, analyst),
    ],
    source: analyst.house.name,
  }
}

/** Turnover by coin. */
function turnoverTable(view: MarketView, markets: PricedMarket[]): ArticleText {
  const random = view.random('turnover')
  const ranked = markets
    .map((market) => ({ market, amount: view.tally(market.of, DAY_MS).amount }))
    .sort((a, b) => (a.amount === b.amount ? 0 : a.amount < b.amount ? 1 : -1))
  const whole = ranked.reduce((sum, { amount }) => sum + amount, 0n)
  const shareOf = (amount: bigint) =>
    percentText(whole === 0n ? 0 : Number((20_000n * amount + whole) / (2n * whole)))
  const listed = ranked.slice(0, 5).map(({ market: { of }, amount }) =>
    phrase('{coin} {turnover}（{share}）', '{coin} {turnover} ({share})', {
      coin: of.base,
      turnover: usdWords(amount),
      share: shareOf(amount),
    }),
  )
  const first = ranked[0] as (typeof ranked)[0]
  const analyst = analystFor(view, 'analyst of turnover')
  const figures = coinFigures(view, first.market)
  const parts = {
    ...figures,
    whole: usdWords(whole),
    share: shareOf(first.amount),
    list: joined(listed, '，', ', '),
  }
  return {
    title: worded(random.fork('title'), texts.market.turnover.titles, parts),
    describe: worded(random.fork('lead'), texts.market.turnover.leads, parts),
    paragraphs: [
      phrase('HL 24小时成交额前列：{list}。', 'By turnover on HL in 24 hours: {list}.', parts),
      phrase(
        '{coin}成交额{busier}，价格24小时{day}，现报{price}。',
        '{coin} turned over {busier}; its price is {day} in 24 hours, at {price}.',
        parts,
      ),
      marketQuote(view, analyst),
    ],
    source: analyst.house.name,
  }
}

/** Two coins compared. */
function coinPairArticle(view: MarketView, markets: PricedMarket[]): ArticleText {
  const random = view.random('pair')
  const at = random.between(0, markets.length - 1)
  const step = random.between(1, markets.length - 1)
  const [one, two] = [markets[at], markets[(at + step) % markets.length]] as [
    PricedMarket,
    PricedMarket,
  ]
  const [a, b] = [coinFigures(view, one), coinFigures(view, two)]
  const analyst = analystFor(view, 'analyst of a pair')
  const parts = {
    one: a.coin,
    onePrice: a.price,
    oneDay: a.day,
    oneWeek: a.week,
    oneTurnover: a.turnover,
    two: b.coin,
    twoPrice: b.price,
    twoDay: b.day,
    twoWeek: b.week,
    twoTurnover: b.turnover,
  }
  return {
    title: worded(random.fork('title'), texts.market.pair.titles, parts),
    describe: worded(random.fork('lead'), texts.market.pair.leads, parts),
    paragraphs: [
      phrase(
        '7天来，{one}{oneWeek}，{two}{twoWeek}。24小时HL成交额分别为{oneTurnover}和{twoTurnover}。',
        'In seven days {one} is {oneWeek} and {two} is {twoWeek}. On HL they turned over ' +
          '{oneTurnover} and {twoTurnover} in 24 hours.',
        parts,
      ),
      marketQuote(view, analyst),
    ],
    source: analyst.house.name,
  }
}

// Publication times of a newsroom: by hour of the day in tape time and by market activity, fewer at
// weekends. So an article has the same id whenever it is shown.

/** Rate of publication by hour of the day, UTC: Asia's working day, then Europe's and America's. */
const BY_HOUR = [
  ...[5, 8, 11, 11, 10, 9, 9, 11, 12, 12, 11, 10],
  ...[11, 14, 15, 14, 12, 10, 8, 6, 5, 4, 3, 3],
]
const WEEKEND = 0.55
/** Schedules of days kept in memory. */
const CACHE_LIMIT = 2_000

/** Due so many times on a weekday. */
function onSchedule(number: number, daily: number): ContentFeed<unknown>['due'] {
  return (world, beforeMs) => {
    const { historyStartMs } = world.meta
    for (let day = Math.floor(beforeMs / DAY_MS); ; day--) {
      const times = scheduleOf(world)(number, daily, day)
      const found = times.findLast((timeMs) => timeMs < beforeMs)
      if (found !== undefined) return found < historyStartMs ? null : tapeMs(found)
      if ((day + 1) * DAY_MS < historyStartMs) return null
    }
  }
}

/** Running number of a due instant, by which articles take turns. */
function turnOf(world: World, number: number, daily: number, atMs: TapeMs): number {
  const day = Math.floor(atMs / DAY_MS)
  return day * daily + scheduleOf(world)(number, daily, day).indexOf(atMs)
}

/** Instants of a day, ascending. */
const scheduleOf = perWorld(({ meta: { seed } }) => {
  const days = new Cache<string, readonly TapeMs[]>(CACHE_LIMIT)
  return (number: number, daily: number, day: number) =>
    days.get(`${number}/${day}`, () => {
      const random = randomSource(seed, `column ${number} on day ${day}`)
      const isWeekend = (((day + 3) % 7) + 7) % 7 >= 5
      const count = Math.round(daily * (isWeekend ? WEEKEND : 1))
      // Far enough apart that no two fall into the same half minute.
      return Array.from({ length: count }, (_, at) => {
        const ofDayMs = quantileMs((at + 0.1 + 0.8 * random.unit()) / count)
        return publishedAtMs(number, day * DAY_MS + Math.floor(ofDayMs))
      })
    })
})

/** Time of day by which a fraction of the day's articles is published. */
function quantileMs(part: number): number {
  let left = part * BY_HOUR.reduce((sum, one) => sum + one, 0)
  let hour = 0
  while (hour < 23 && left >= (BY_HOUR[hour] as number)) left -= BY_HOUR[hour++] as number
  return (hour + left / (BY_HOUR[hour] as number)) * HOUR_MS
}

export interface Article extends ArticleText {
  /** Its language in a list of both. */
  isChinese: boolean
}

/** Both always have a text, so that pages can be skipped unread. */
export const ARTICLE_FEEDS: readonly ContentFeed<Article>[] = [
  articleFeed(40, 44),
  scheduledFeed(42),
]
export const RSS_FEEDS: readonly ContentFeed<Article>[] = [articleFeed(41, 60), scheduledFeed(43)]

/** @param daily number on a weekday */
function articleFeed(number: number, daily: number): ContentFeed<Article> {
  return {
    number,
    due: onSchedule(number, daily),
    write: (world, atMs) => {
      const view = new MarketView(world, atMs)
      const isChinese = view.random(languageName(number)).chance(0.5)
      return { isChinese, ...articleText(view, number, daily) }
    },
  }
}

function scheduledFeed(number: number): ContentFeed<Article> {
  const { due, write } = scheduledArticles(number)
  return {
    number,
    due,
    write: (world, atMs) => {
      const text = write(world, atMs)
      const isChinese = new MarketView(world, atMs).random(languageName(number)).chance(0.5)
      return text && { isChinese, ...text }
    },
  }
}

const languageName = (number: number) => `language in column ${number}`

/** Fewer coins are no market. */
const MARKET_MIN = 3

/** Neighbouring articles are on other events, or other coins. */
function articleText(view: MarketView, number: number, daily: number): ArticleText {
  const { markets, coins, world, atMs } = view
  if (coins.length === 0 || isBusiness(world, number, daily, atMs))
    return businessArticle(view, number)
  const turn = turnOf(world, number, daily, atMs)
  const isWide = view.random(`article of column ${number}`).chance(0.3)
  return isWide && coins.length >= MARKET_MIN
    ? marketArticle(view, coins, turn)
    : coinArticle(view, inTurn(markets, turn), Math.floor(turn / markets.length))
}

/** Whether an article is on an institution: on an event that none before it has reported. */
function isBusiness(world: World, number: number, daily: number, atMs: TapeMs): boolean {
  const isWanted = (ms: TapeMs) =>
    randomSource(world.meta.seed, `subject in column ${number} at ${ms}`).chance(0.55)
  if (!isWanted(atMs)) return false
  const due = onSchedule(number, daily)
  for (let before = due(world, atMs); before !== null; before = due(world, before)) {
    if (reportedEvent(before) !== reportedEvent(atMs)) return true
    if (isWanted(before)) return false
  }
  return true
}
