/** The feeds of articles and of other sites' news, in Chinese and in English by turns. */

import {
  type BilingualText,
  changeOf,
  joined,
  moveText,
  phrase,
  priceText,
  sizeText,
  usdWords,
} from './bilingual-text.ts'
import { atIntervals, type ContentFeed } from './content-feed.ts'
import { madeUpCompany, madeUpPerson } from './made-up-parties.ts'
import { DAY_MS, HOUR_MS, MarketView, type PricedMarket } from './market-view.ts'
import { companyNews } from './newsflash-feeds.ts'

export interface Article {
  isChinese: boolean
  title: BilingualText
  describe: BilingualText
  paragraphs: BilingualText[]
  source: BilingualText
}

/** Both always have something to say, so that pages can be skipped unread. */
export const ARTICLE_FEEDS: readonly ContentFeed<Article>[] = [articleFeed(40, 2 * HOUR_MS)]
export const RSS_FEEDS: readonly ContentFeed<Article>[] = [articleFeed(41, HOUR_MS)]

function articleFeed(number: number, everyMs: number): ContentFeed<Article> {
  return {
    number,
    due: atIntervals(number, everyMs),
    write: (world, atMs) => {
      const view = new MarketView(world, atMs)
      const isChinese = Math.floor(atMs / everyMs) % 2 === 0
      return { isChinese, ...articleText(view, number) }
    },
  }
}

type ArticleText = Omit<Article, 'isChinese'>

function articleText(view: MarketView, number: number): ArticleText {
  const random = view.random(`article of column ${number}`)
  const { markets } = view
  if (markets.length === 0 || random.chance(0.25)) return companyReport(view)
  return random.chance(0.4) ? marketWrap(view, markets) : coinReview(view, random.pick(markets))
}

/** What companies do. */
function companyReport(view: MarketView): ArticleText {
  const random = view.random('report')
  const { title, content } = companyNews(view)
  const parts = { who: madeUpPerson(random), house: madeUpCompany(random, 'research') }
  const quote = phrase(
    '{house}分析师{who}认为，这反映出机构对基础设施的需求仍在增长，但落地节奏取决于监管与成本。',
    '{who}, an analyst at {house}, sees demand for infrastructure growing among institutions; ' +
      'how fast will depend on rules and costs.',
    parts,
  )
  return {
    title,
    describe: content,
    paragraphs: [content, quote],
    source: madeUpCompany(random, 'research'),
  }
}

/** One coin's day. */
function coinReview(view: MarketView, { of, px }: PricedMarket): ArticleText {
  const random = view.random('review')
  const day = view.tally(of, DAY_MS)
  const change = changeOf(px, view.pxAgo(of, DAY_MS)) ?? 0
  const week = changeOf(px, view.pxAgo(of, 7 * DAY_MS))
  const [high, low] = day.n === 0 ? [px, px] : [day.high, day.low]
  const parts = {
    coin: of.base,
    price: priceText(of, px),
    move: moveText(change),
    week: moveText(week ?? 0),
    high: priceText(of, high),
    low: priceText(of, low),
    turnover: usdWords(day.amount),
    volume: sizeText(of, day.size),
    bought: usdWords(day.buyAmount),
    who: madeUpPerson(random),
    house: madeUpCompany(random, 'research'),
    mood: change < 0 ? { cn: '偏谨慎', en: 'cautious' } : { cn: '偏乐观', en: 'confident' },
  }
  const describe = phrase(
    '{coin}现报{price}，24小时{move}，成交额{turnover}。',
    '{coin} trades at {price}, {move} over 24 hours on a turnover of {turnover}.',
    parts,
  )
  const numbers = phrase(
    '过去24小时，{coin}最高{high}，最低{low}，成交量{volume}，其中主动买入{bought}；7天{week}。',
    'Over 24 hours {coin} moved between {low} and {high}; {volume} changed hands, of which ' +
      'takers bought {bought}. Over 7 days it is {week}.',
    parts,
  )
  const quote = phrase(
    '{house}分析师{who}表示，市场情绪{mood}，建议关注{low}至{high}区间的方向选择。',
    '{who}, an analyst at {house}, calls the mood {mood} and watches the range from {low} to ' +
      '{high}.',
    parts,
  )
  const title = phrase('{coin}行情分析：24小时{move}', '{coin} in review: {move} in a day', parts)
  return { title, describe, paragraphs: [describe, numbers, quote], source: parts.house }
}

/** The market's day. */
function marketWrap(view: MarketView, markets: PricedMarket[]): ArticleText {
  const random = view.random('wrap')
  const moved = markets.map(({ of, px }) => ({
    of,
    px,
    change: changeOf(px, view.pxAgo(of, DAY_MS)) ?? 0,
  }))
  const rising = moved.filter(({ change }) => change > 0).length
  const listed = moved.map(({ of, px, change }) =>
    phrase('{coin}报{price}，{move}', '{coin} at {price}, {move}', {
      coin: of.base,
      price: priceText(of, px),
      move: moveText(change),
    }),
  )
  const turnover = markets.reduce((sum, { of }) => sum + view.tally(of, DAY_MS).amount, 0n)
  const parts = {
    rising,
    all: moved.length,
    turnover: usdWords(turnover),
    list: joined(listed, '；', '; '),
    who: madeUpPerson(random),
    house: madeUpCompany(random, 'research'),
  }
  const title = phrase(
    '市场综述：{all}个币种中{rising}个上涨',
    'Market wrap: {rising} of {all} coins are up',
    parts,
  )
  const describe = phrase(
    '过去24小时{all}个主要币种中有{rising}个上涨，合计成交额{turnover}。',
    '{rising} of {all} major coins rose over 24 hours; together they turned over {turnover}.',
    parts,
  )
  const prices = phrase('各币种表现：{list}。', 'Coin by coin: {list}.', parts)
  const quote = phrase(
    '{house}分析师{who}表示，短期仍需关注成交量能否持续。',
    'What counts now is whether volume lasts, says {who}, an analyst at {house}.',
    parts,
  )
  return { title, describe, paragraphs: [describe, prices, quote], source: parts.house }
}
