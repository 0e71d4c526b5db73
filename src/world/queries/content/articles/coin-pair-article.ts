import { phrase } from '../bilingual-text.ts'
import { worded } from '../grammar.ts'
import type { MarketView, PricedMarket } from '../market-view.ts'
import { analystFor, marketQuote } from './analyst-quotes.ts'
import type { ArticleText } from './article-text.ts'
import { coinFigures } from './coin-figures.ts'

/** Two coins compared. */
export function coinPairArticle(view: MarketView, markets: PricedMarket[]): ArticleText {
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
    title: worded(random.fork('title'), PAIR_TITLES, parts),
    describe: worded(random.fork('lead'), PAIR_LEADS, parts),
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

const PAIR_TITLES = [
  ['{one}{oneDay}，{two}{twoDay}', '{one} {oneDay}, {two} {twoDay}: a day compared'],
  [
    '{one}与{two}：一周{oneWeek}对{twoWeek}',
    '{one} and {two}: {oneWeek} against {twoWeek} in a week',
  ],
  ['对比：{one}报{onePrice}，{two}报{twoPrice}', '{one} at {onePrice}, {two} at {twoPrice}'],
] as const

const PAIR_LEADS = [
  [
    '{one}现报{onePrice}，24小时{oneDay}；{two}报{twoPrice}，24小时{twoDay}。',
    '{one} trades at {onePrice}, {oneDay} in 24 hours; {two} at {twoPrice}, {twoDay}.',
  ],
] as const
