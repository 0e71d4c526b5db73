/** Feeds of newsflashes: market summaries, company news, analyst opinions. */
import texts from '../../../../seed/news-texts.json' with { type: 'json' }
import { DAY_MS, MINUTE_MS } from '../../../clock/instant.ts'
import { randomSource } from '../../../random/random-source.ts'
import { analystFor, coinFigures, coinQuote, moveHeadline } from './article-texts.ts'
import {
  type BilingualText,
  changeOf,
  joined,
  moveText,
  phrase,
  priceText,
  usdWords,
  worded,
} from './bilingual-text.ts'
import { atIntervals, type ContentFeed, scheduledNewsflashes } from './content-feed.ts'
import { inTurn, MarketView } from './market-view.ts'
import { businessEvent } from './stories/business-events.ts'

export interface NewsflashText {
  title: BilingualText
  content: BilingualText
}

const OPINION_MINUTES = 40

export const NEWSFLASH_FEEDS: readonly ContentFeed<NewsflashText>[] = [
  newsflashFeed(32, 30, marketRoundUp),
  newsflashFeed(33, 20, companyNews),
  newsflashFeed(34, OPINION_MINUTES, analystOpinion),
  scheduledNewsflashes(35),
]

function newsflashFeed(
  number: number,
  everyMinutes: number,
  write: (view: MarketView) => NewsflashText | null,
): ContentFeed<NewsflashText> {
  const due = atIntervals(number, everyMinutes * MINUTE_MS)
  return { number, due, write: (world, atMs) => write(new MarketView(world, atMs)) }
}

/** Number of coins in a round-up. */
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
  const parts = { list: joined(listed, '；', '; '), turnover: usdWords(turnover) }
  return {
    title: moveHeadline(view, coinFigures(view, first)),
    content: phrase(
      '行情播报：{list}。HL主要合约24小时成交额合计{turnover}。',
      'Markets: {list}. Major contracts on HL turned over {turnover} in 24 hours.',
      parts,
    ),
  }
}

/** News about an institution. */
function companyNews({ world, atMs }: MarketView): NewsflashText {
  const random = randomSource(world.meta.seed, `company news at ${atMs}`)
  const { title, lead, details } = businessEvent(world, atMs, random)
  return { title, content: joined([lead, ...details.slice(0, 1)]) }
}

/** An analyst's opinion of a coin, in line with the house's stance. */
function analystOpinion(view: MarketView): NewsflashText | null {
  const { markets } = view
  if (markets.length === 0) return null
  // A coin at a time, so that neighbouring opinions are on different coins.
  const seen = inTurn(markets, Math.floor(view.atMs / (OPINION_MINUTES * MINUTE_MS)))
  const figures = coinFigures(view, seen)
  const analyst = analystFor(view, 'opinion')
  const { isFavourable, name } = analyst.house
  const parts = {
    coin: figures.coin,
    price: figures.price,
    day: figures.day,
    house: name,
    level: isFavourable ? figures.low : figures.high,
    view: isFavourable ? { cn: '支撑', en: 'support' } : { cn: '阻力', en: 'resistance' },
  }
  const facts = phrase(
    '{coin} 24小时{day}，现报{price}。',
    '{coin} is {day} over 24 hours at {price}.',
    parts,
  )
  return {
    title: worded(view.random('opinion title'), texts.coin.opinions, parts),
    content: joined([facts, coinQuote(view, analyst, figures)]),
  }
}
