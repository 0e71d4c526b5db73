/** Articles about all coins: how they did, where the turnover is, two of them side by side. */
import { DAY_MS } from '../../../../clock/durations.ts'
import {
  changeOf,
  joined,
  moveText,
  percentText,
  phrase,
  priceText,
  usdWords,
} from '../bilingual-text.ts'
import { worded } from '../grammar.ts'
import type { MarketView, PricedMarket } from '../market-view.ts'
import { analystFor, marketQuote } from './analyst-quotes.ts'
import type { ArticleText } from './article-text.ts'
import { coinFigures } from './coin-figures.ts'
import { coinPairArticle } from './coin-pair-article.ts'

/** One about the market, from one of some angles; of three coins at least. */
export function marketArticle(view: MarketView, markets: PricedMarket[]): ArticleText {
  const random = view.random('market article')
  const angle = random.pick([marketWrap, turnoverTable, coinPairArticle])
  return angle(view, markets)
}

/** How the coins did in a day. */
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
    title: worded(random.fork('title'), WRAP_TITLES, parts),
    describe: worded(random.fork('lead'), WRAP_LEADS, parts),
    paragraphs: [
      phrase('各币种表现：{list}。', 'Coin by coin: {list}.', parts),
      worded(random.fork('ends'), WRAP_ENDS, parts),
      marketQuote(view, analyst),
    ],
    source: analyst.house.name,
  }
}

const WRAP_TITLES = [
  [
    '市场综述：{all}个币种中{rising}个上涨，HL成交{turnover}',
    'Market wrap: {rising} of {all} coins up, HL turns over {turnover}',
  ],
  [
    '{best}{bestMove}，表现最好，HL成交{turnover}',
    '{best} does best, {bestMove}, as {turnover} change hands on HL',
  ],
  ['24小时行情：{worst}{worstMove}，表现最弱', 'The day in coins: {worst} is weakest, {worstMove}'],
  ['{all}个币种{rising}个上涨，HL成交{turnover}', '{rising} of {all} coins rise; HL: {turnover}'],
] as const

const WRAP_LEADS = [
  [
    '过去24小时{all}个主要币种中有{rising}个上涨，HL上合计成交额{turnover}。',
    '{rising} of {all} major coins rose over 24 hours; on HL they turned over {turnover}.',
  ],
  [
    '24小时内{best}表现最好，{bestMove}；{all}个主要币种在HL合计成交{turnover}。',
    '{best} did best in 24 hours, {bestMove}; {all} major coins turned over {turnover} on HL.',
  ],
] as const

const WRAP_ENDS = [
  [
    '表现最好的是{best}（{bestMove}），最弱的是{worst}（{worstMove}）。',
    'The best of them is {best} ({bestMove}), the weakest {worst} ({worstMove}).',
  ],
  [
    '首尾之间，{best}{bestMove}，{worst}{worstMove}。',
    'From end to end: {best} is {bestMove}, {worst} is {worstMove}.',
  ],
] as const

/** Where the turnover is. */
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
    title: worded(random.fork('title'), TURNOVER_TITLES, parts),
    describe: worded(random.fork('lead'), TURNOVER_LEADS, parts),
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

const TURNOVER_TITLES = [
  ['{coin}占HL全部成交的{share}', '{coin} makes up {share} of all turnover on HL'],
  ['HL 24小时成交{whole}，{coin}占{share}', '{whole} on HL in a day, {share} of it in {coin}'],
  ['HL成交额排行：{coin} {turnover}居首', 'Turnover on HL: {coin} first with {turnover}'],
] as const

const TURNOVER_LEADS = [
  [
    '主要币种24小时在HL合计成交{whole}，其中{coin}{turnover}，占{share}。',
    'Major coins turned over {whole} on HL in a day; {coin} had {turnover} of it, or {share}.',
  ],
] as const
