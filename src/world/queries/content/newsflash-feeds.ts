/** Feeds of newsflashes: the market in short, what companies do, what analysts say. */
import { ZERO } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import {
  type BilingualText,
  changeOf,
  joined,
  moveText,
  phrase,
  priceText,
  usdWords,
} from './bilingual-text.ts'
import { atIntervals, type ContentFeed } from './content-feed.ts'
import { madeUpCompany, madeUpPerson } from './made-up-parties.ts'
import { DAY_MS, HOUR_MS, MarketView, MINUTE_MS } from './market-view.ts'

export interface NewsflashText {
  title: BilingualText
  content: BilingualText
}

export const NEWSFLASH_FEEDS: readonly ContentFeed<NewsflashText>[] = [
  newsflashFeed(32, 30, marketRoundUp),
  newsflashFeed(33, 20, companyNews),
  newsflashFeed(34, 40, analystOpinion),
]

function newsflashFeed(
  number: number,
  everyMinutes: number,
  write: (view: MarketView) => NewsflashText | null,
): ContentFeed<NewsflashText> {
  const due = atIntervals(number, everyMinutes * MINUTE_MS)
  return { number, due, write: (world, atMs) => write(new MarketView(world, atMs)) }
}

/** How many coins a round-up names. */
const NAMED_COINS = 4

function marketRoundUp(view: MarketView): NewsflashText | null {
  const { markets } = view
  const [first] = markets
  if (!first) return null
  const listed = markets.slice(0, NAMED_COINS).map(({ of, px }) => {
    const change = moveText(changeOf(px, view.pxAgo(of, DAY_MS)) ?? 0)
    const parts = { coin: of.base, price: priceText(of, px), change }
    return phrase('{coin}报{price}，24小时{change}', '{coin} at {price}, {change}', parts)
  })
  const turnover = markets.reduce((sum, { of }) => sum + view.tally(of, DAY_MS).amount, 0n)
  const parts = {
    coin: first.of.base,
    price: priceText(first.of, first.px),
    move: moveText(changeOf(first.px, view.pxAgo(first.of, HOUR_MS)) ?? 0),
    list: joined(listed, '；', '; '),
    turnover: usdWords(turnover),
  }
  return {
    title: phrase('{coin}现报{price}，1小时{move}', '{coin} at {price}, {move} in an hour', parts),
    content: phrase(
      '行情播报：{list}。主要合约24小时成交额合计{turnover}。',
      'Markets: {list}. Major contracts turned over {turnover} in 24 hours.',
      parts,
    ),
  }
}

type NewsTemplate = (random: RandomSource) => NewsflashText

/** What a company does; made up. */
export function companyNews(view: MarketView): NewsflashText {
  const random = view.random('business')
  return random.pick(NEWS_TEMPLATES)(random)
}

/** So many millions of dollars. */
function millions(random: RandomSource, least: number, most: number): BilingualText {
  const count = random.between(least, most)
  return { cn: `${100 * count}万美元`, en: `$${count} million` }
}

const FIELDS: readonly BilingualText[] = [
  { cn: '链上数据分析', en: 'on-chain analytics' },
  { cn: '跨链桥安全', en: 'bridge security' },
  { cn: '稳定币支付', en: 'stablecoin payments' },
  { cn: '机构托管', en: 'institutional custody' },
  { cn: '零知识证明', en: 'zero-knowledge proofs' },
  { cn: '去中心化存储', en: 'decentralised storage' },
]

const NEWS_TEMPLATES: readonly NewsTemplate[] = [
  (random) => {
    const parts = {
      firm: madeUpCompany(random, 'technology'),
      lead: madeUpCompany(random, 'capital'),
      sum: millions(random, 3, 60),
      field: random.pick(FIELDS),
    }
    return {
      title: phrase('{firm}完成{sum}融资', '{firm} raises {sum}', parts),
      content: phrase(
        '{firm}宣布完成{sum}融资，由{lead}领投，资金将用于{field}业务。',
        '{firm} has raised {sum} in a round led by {lead} for its work on {field}.',
        parts,
      ),
    }
  },
  (random) => {
    const parts = {
      firm: madeUpCompany(random, 'technology'),
      field: random.pick(FIELDS),
      who: madeUpPerson(random),
    }
    return {
      title: phrase('{firm}推出{field}产品', '{firm} launches a product for {field}', parts),
      content: phrase(
        '{firm}今日推出面向专业用户的{field}产品，负责人{who}表示将分阶段开放。',
        '{firm} launched a product for {field}. It will open in stages, says {who}, who leads it.',
        parts,
      ),
    }
  },
  (random) => {
    const parts = { house: madeUpCompany(random, 'research'), field: random.pick(FIELDS) }
    const share = { ...parts, part: random.between(18, 74) }
    return {
      title: phrase(
        '{house}：{part}%受访机构关注{field}',
        '{house}: {part}% look at {field}',
        share,
      ),
      content: phrase(
        '{house}发布调查报告，{part}%的受访机构计划在一年内增加对{field}的投入。',
        'In a survey by {house}, {part}% of institutions plan to spend more on {field} in a year.',
        share,
      ),
    }
  },
  (random) => {
    const parts = { fund: madeUpCompany(random, 'capital'), sum: millions(random, 50, 400) }
    return {
      title: phrase('{fund}募集{sum}新基金', '{fund} closes a fund of {sum}', parts),
      content: phrase(
        '{fund}宣布新一期加密基金完成募集，规模{sum}，重点投资早期项目。',
        '{fund} has closed its new crypto fund at {sum}; it invests in early projects.',
        parts,
      ),
    }
  },
]

/** An analyst's opinion of a coin, in line with its price. */
function analystOpinion(view: MarketView): NewsflashText | null {
  const seen = view.any('opinion')
  if (!seen) return null
  const { of, px } = seen
  const random = view.random('analyst')
  const change = changeOf(px, view.pxAgo(of, DAY_MS)) ?? 0
  const { high, low } = view.tally(of, DAY_MS)
  const edge = change < 0 ? low : high
  const parts = {
    coin: of.base,
    who: madeUpPerson(random),
    house: madeUpCompany(random, 'research'),
    price: priceText(of, px),
    move: moveText(change),
    level: priceText(of, edge === ZERO ? px : edge),
    view: change < 0 ? { cn: '支撑', en: 'support' } : { cn: '阻力', en: 'resistance' },
  }
  return {
    title: phrase(
      '{house}：{coin}短线关注{level}{view}',
      '{house}: {coin} faces {view} at {level}',
      parts,
    ),
    content: phrase(
      '{house}分析师{who}表示，{coin} 24小时{move}，现报{price}，短线{view}位在{level}附近。',
      '{coin} is {move} over 24 hours at {price}; {who} of {house} sees {view} near {level}.',
      parts,
    ),
  }
}
